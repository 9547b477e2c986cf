import { DAY_MS, HOUR_MS } from "#lib/text/time.ts";
import type { ActivityKind } from "./contract.ts";

const kinds: readonly [pattern: RegExp, kind: ActivityKind][] = [
  [/^interaction\.email_/, "email"],
  [/^interaction\.(linkedin_)?message/, "message"],
  [/^interaction\.call/, "call"],
  [/^interaction\.meeting_/, "meeting"],
  [/^interaction\.website_visit$/, "visit"],
  [/^(interaction\.note|note\.saved)$/, "note"],
];

/** What an event is counted as, by its property. */
export const kindOf = (property: string): ActivityKind =>
  kinds.find(([pattern]) => pattern.test(property))?.[1] ?? "other";

/** A source reported on fewer days than these: it has no rhythm yet. */
const RHYTHM_DAYS = 5;
/** Weekends are no silence. */
const SHORTEST_SILENCE_DAYS = 4;

/** Whether a source that used to report has been silent for more than twice its longest pause. */
export function isSilent({ days, lastAt }: { days: readonly number[]; lastAt: Date }, now: Date): boolean {
  if (days.length < RHYTHM_DAYS) return false;
  const longest = Math.max(...days.slice(1).map((day, place) => day - (days[place] ?? day)));
  return now.getTime() - lastAt.getTime() > Math.max(SHORTEST_SILENCE_DAYS, 2 * longest) * DAY_MS;
}

/** The last `count` days of a time zone, the oldest first, `now`'s last: each by its date and the moment it begins. */
export function daysUntil(now: Date, zone: string, count: number): { day: string; start: Date }[] {
  const clock = clockOf(zone);
  const today = Date.parse(`${clock.dayAt(now.getTime())}T00:00:00Z`);
  return Array.from({ length: count }, (_, index) => {
    const midnight = today - (count - 1 - index) * DAY_MS;
    const day = new Date(midnight).toISOString().slice(0, 10);
    const near = midnight - clock.aheadAt(midnight);
    const start = midnight - clock.aheadAt(near);
    // Clocks that go forward at midnight: the day begins at one o'clock.
    return { day, start: new Date(clock.dayAt(start) < day ? start + HOUR_MS : start) };
  });
}

/** A zone's calendar and clocks: the date at a moment, and by how many milliseconds they are ahead of UTC. */
function clockOf(zone: string) {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  /** What the clocks show, as if they showed UTC. */
  const shownAt = (moment: number): number => {
    const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  };
  return {
    dayAt: (moment: number) => new Date(shownAt(moment)).toISOString().slice(0, 10),
    aheadAt: (moment: number) => shownAt(moment) - moment,
  };
}
