import { dayAs, timeAs } from "#components/ui/times.ts";
import type { Meeting } from "./calls.ts";

/** When a meeting is, in the reader's zone; whole days have none. */
export function MeetingTime({ meeting }: { meeting: Meeting }) {
  return <time dateTime={meeting.starts_at}>{meeting.all_day ? daysOf(meeting) : hoursOf(meeting)}</time>;
}

function hoursOf({ starts_at, ends_at }: Meeting): string {
  const [from, to] = [new Date(starts_at), new Date(ends_at)];
  const isOneDay = timeAs("day", from) === timeAs("day", to);
  return `${timeAs("weekdayName", from)}, ${timeAs("minute", from)} – ${timeAs(isOneDay ? "clock" : "minute", to)}`;
}

function daysOf({ starts_at, ends_at }: Meeting): string {
  const last = new Date(Date.parse(ends_at) - 1).toISOString();
  const [first, end] = [starts_at, last].map((time) => dayAs("day", time.slice(0, 10)));
  return first === end ? `${first}` : `${first} – ${end}`;
}
