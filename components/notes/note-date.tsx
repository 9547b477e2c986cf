import { RelativeTime } from "#components/records/relative-time.tsx";

/** A note's date as it was given: a day stays a day, a moment is shown relative to now. */
export function NoteDate({ date }: { date: string }) {
  if (date.length > 10) return <RelativeTime value={date} />;
  return <time dateTime={date}>{dayWords(date)}</time>;
}

const format = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });

const dayWords = (day: string): string => {
  const time = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(time.getTime()) ? day : format.format(time);
};
