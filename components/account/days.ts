import { calendarOf, dayAs } from "#components/ui/times.ts";
import { DAY_MS } from "#lib/text/time.ts";

/** One day of a timeline, and what happened on it; first what is still to come, the soonest first. */
export type Day<T> = { day: string; label: string; items: readonly T[]; isAhead?: true };

/** Groups items, the latest first, into days of the reader's zone (`UTC` on the server, which does not know it). */
export function daysOf<T>(
  items: readonly T[],
  zone: string | undefined,
  now: Date,
  timeOf: (item: T) => string,
): Day<T>[] {
  const dayOf = calendarOf(zone);
  const isAhead = (item: T) => new Date(timeOf(item)) > now;
  const ahead = items.filter(isAhead).reverse();
  const groups = Map.groupBy(
    items.filter((item) => !isAhead(item)),
    (item) => dayOf(new Date(timeOf(item))),
  );
  const today = dayOf(now);
  const yesterday = dayOf(new Date(now.getTime() - DAY_MS));
  const format = (day: string) => (day.slice(0, 4) === today.slice(0, 4) ? "weekday" : "weekdayOfYear");
  const days = [...groups].map(([day, members]) => ({
    day,
    label: day === today ? "Today" : day === yesterday ? "Yesterday" : dayAs(format(day), day),
    items: members,
  }));
  return ahead.length === 0 ? days : [{ day: "ahead", label: "Upcoming", items: ahead, isAhead: true }, ...days];
}

/** A time as `<input type="datetime-local">` shows it: the minute, in the browser's zone. */
export const localMinute = (at: Date): string =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
