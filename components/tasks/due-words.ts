import { dayAs, timeAs } from "#components/ui/times.ts";
import { daysAfter, localDay } from "#lib/text/due.ts";

export type Due = { label: string; when: "overdue" | "today" | "later" };

/** `Today`, `Tomorrow 3:30 PM`, `Friday`, `Jun 5`, in the reader's zone; null without a due date. */
export function dueWords(due: string | null, now: Date): Due | null {
  if (due === null) return null;
  const today = localDay(now);
  const moment = due.length > today.length ? new Date(due) : null;
  const day = moment ? localDay(moment) : due;
  const isPast = moment ? moment < now : day < today;
  const label = [labelOf(day, today), moment ? timeAs("clock", moment) : ""].filter(Boolean).join(" ");
  return { label, when: isPast ? "overdue" : day === today ? "today" : "later" };
}

function labelOf(day: string, today: string): string {
  if (day === today) return "Today";
  if (day === daysAfter(today, 1)) return "Tomorrow";
  if (day === daysAfter(today, -1)) return "Yesterday";
  if (day > today && day < daysAfter(today, 7)) return dayAs("weekdayName", day);
  return dayAs(day.slice(0, 4) === today.slice(0, 4) ? "short" : "day", day);
}

const timeOf = (moment: Date): string =>
  `${String(moment.getHours()).padStart(2, "0")}:${String(moment.getMinutes()).padStart(2, "0")}`;

/** A due date as it is edited: the day, and the time if it has one. */
export const dueText = (due: string | null): string =>
  due === null ? "" : due.length === 10 ? due : `${localDay(new Date(due))} ${timeOf(new Date(due))}`;
