import { ExactDay } from "#components/records/exact-time.tsx";
import { RelativeTime } from "#components/records/relative-time.tsx";

/** A note's date as it was given: a day stays a day, a moment is shown relative to now. */
export function NoteDate({ date }: { date: string }) {
  return date.length > 10 ? <RelativeTime value={date} /> : <ExactDay value={date} />;
}
