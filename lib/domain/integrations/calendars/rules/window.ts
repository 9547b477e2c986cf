import { DAY_MS } from "#lib/text/time.ts";

const PAST_DAYS = 90;
const COMING_DAYS = 60;

/** The days that are read, by the day in UTC: it moves at midnight. */
export function windowAt(now: Date): { from: Date; to: Date } {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  return { from: new Date(today - PAST_DAYS * DAY_MS), to: new Date(today + COMING_DAYS * DAY_MS) };
}
