/** One day of a timeline, and what happened on it. */
export type Day<T> = { day: string; label: string; items: readonly T[] };

const dayIn = (zone: string | undefined) =>
  new Intl.DateTimeFormat("en-CA", { ...(zone ? { timeZone: zone } : {}), dateStyle: "short" });

/** The day of a time in a zone, as YYYY-MM-DD. */
export const dayOf = (time: string, zone: string | undefined): string => dayIn(zone).format(new Date(time));

/** Groups items ordered by time into days of the reader's zone (`UTC` on the server, which does not know it). */
export function daysOf<T>(
  items: readonly T[],
  zone: string | undefined,
  now: Date,
  timeOf: (item: T) => string,
): Day<T>[] {
  const days = dayIn(zone);
  const groups = Map.groupBy(items, (item) => days.format(new Date(timeOf(item))));
  const today = days.format(now);
  const yesterday = days.format(new Date(now.getTime() - 86_400_000));
  return [...groups].map(([day, members]) => ({
    day,
    label: day === today ? "Today" : day === yesterday ? "Yesterday" : labelOf(day, today),
    items: members,
  }));
}

/** `Tuesday 3 November`, with the year when it is not this one. Put together here: browsers and Node differ in commas. */
function labelOf(day: string, today: string): string {
  const parts = format.formatToParts(new Date(`${day}T00:00:00Z`));
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? "";
  const thisYear = day.slice(0, 4) === today.slice(0, 4);
  return [part("weekday"), part("day"), part("month"), thisYear ? "" : day.slice(0, 4)].filter(Boolean).join(" ");
}

const format = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" });

/** A time as `<input type="datetime-local">` shows it: the minute, in the browser's zone. */
export const localMinute = (at: Date): string =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
