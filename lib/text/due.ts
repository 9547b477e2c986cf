import { DAY_MS } from "./time.ts";

const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const SPANS: Readonly<Record<string, number>> = { d: 1, day: 1, days: 1, w: 7, week: 7, weeks: 7 };

const pad = (number: number): string => String(number).padStart(2, "0");

/** A date as YYYY-MM-DD, in the zone of this computer. */
export const localDay = (at: Date): string => `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;

/** A day so many days after another. */
export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** A date as YYYY-MM-DD, in UTC. */
const utcDay = (at: Date): string => at.toISOString().slice(0, 10);

/**
 * What someone means by `tomorrow`, `friday`, `next week`, `in 3 days`, `5 June` or `2026-06-05`, with a time as `15:30` behind
 * it if they like: a day, or a moment in UTC. Null for anything else. Days and times are those of this computer's zone, or of UTC.
 */
export function dueIn(text: string, now: Date, zone: "local" | "utc" = "local"): string | null {
  const words = text.trim().toLowerCase().replaceAll(/\s+/g, " ");
  const timed = /^(.*?)(?: at)? ?(\d{1,2}):(\d{2})$/.exec(words);
  const day = dayIn((timed ? timed[1] : words) || (timed ? "today" : ""), zone === "utc" ? utcDay(now) : localDay(now));
  if (day === null || !timed) return day;
  const [hour, minute] = [Number(timed[2]), Number(timed[3])];
  if (hour > 23 || minute > 59) return null;
  const at = new Date(`${day}T${pad(hour)}:${pad(minute)}:00${zone === "utc" ? "Z" : ""}`);
  return at.toISOString();
}

function dayIn(words: string, today: string): string | null {
  if (words === "today") return today;
  if (words === "yesterday") return daysAfter(today, -1);
  if (words === "tomorrow" || words === "tmr") return daysAfter(today, 1);
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay();
  if (words === "next week") return daysAfter(today, (8 - weekday) % 7 || 7);
  const named = weekdayIn(words.replace(/^(next|on) /, ""));
  if (named !== null) return daysAfter(today, (named - weekday + 7) % 7 || 7);
  const span = /^(?:in )?(\d{1,3}) ?(d|days?|w|weeks?)$/.exec(words);
  if (span) return daysAfter(today, Number(span[1]) * (SPANS[span[2] ?? ""] ?? 1));
  return /^\d{4}-\d{2}-\d{2}$/.test(words) ? real(words) : dateIn(words, today);
}

function weekdayIn(word: string): number | null {
  const weekday = word.length >= 3 ? WEEKDAYS.findIndex((name) => name.startsWith(word)) : -1;
  return weekday === -1 ? null : weekday;
}

/** `5 June`, `June 5` or `5 Jun 2027`; without a year the next one to come. */
function dateIn(words: string, today: string): string | null {
  const parts = /^(?:(\d{1,2})\.? ([a-z]{3,9})|([a-z]{3,9}) (\d{1,2}))(?:,? (\d{4}))?$/.exec(words);
  if (!parts) return null;
  const [, before, first, second, after, year] = parts;
  const month = MONTHS.indexOf((first ?? second ?? "").slice(0, 3));
  if (month === -1) return null;
  const inYear = (of: number) => real(`${of}-${pad(month + 1)}-${pad(Number(before ?? after))}`);
  if (year) return inYear(Number(year));
  const here = inYear(Number(today.slice(0, 4)));
  return here !== null && here < today ? inYear(Number(today.slice(0, 4)) + 1) : here;
}

/** The day, if the calendar has it. */
function real(day: string): string | null {
  const at = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== day ? null : day;
}
