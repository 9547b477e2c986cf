import { parseTime } from "#lib/text/time.ts";

/** What a document is about in time: a day, or a moment. */
export type NoteDate = { time: Date; dateOnly: boolean };

const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
] as const;

/** 0 to 11 for an English month, in full or by its first three letters (`sept` too); -1 for any other word. */
export function monthOf(word: string): number {
  const name = word.toLowerCase().replace(/\.$/, "");
  return MONTHS.findIndex(
    (month) => month === name || month.slice(0, 3) === name || (month[0] === "s" && name === "sept"),
  );
}

const CLOCK = String.raw`(?:[\s,]+(?:at\s+)?(?<hour>\d{1,2})(?::(?<minute>\d{2})(?::(?<second>\d{2}))?)?\s*(?<half>[ap]\.?m\.?)?(?:\s*(?:utc|gmt|z))?)?$`;
const DAY_FIRST = new RegExp(
  String.raw`^(?<day>\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?(?<month>[a-z]{3,9}\.?),?\s+(?<year>\d{4})${CLOCK}`,
  "i",
);
const MONTH_FIRST = new RegExp(
  String.raw`^(?<month>[a-z]{3,9}\.?)\s+(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?<year>\d{4})${CLOCK}`,
  "i",
);
const NUMERIC = new RegExp(String.raw`^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:t(?=\d))?${CLOCK}`, "i");

/**
 * Reads a date as people and calendars write it: ISO 8601, `2026-06-03`, `3 June 2026`, `June 3, 2026 14:00`. Without
 * an offset an hour is UTC. Null for anything else, including an impossible day and an ambiguous `03/06/2026`, which
 * natural-language date libraries accept (docs/decisions/0060).
 */
export function parseNoteDate(text: string): NoteDate | null {
  const written = text.trim();
  const iso = parseTime(written);
  if (iso) return { time: iso, dateOnly: written.length === 10 };
  const parts = (DAY_FIRST.exec(written) ?? MONTH_FIRST.exec(written) ?? NUMERIC.exec(written.replace(/T(?=\d)/i, " ")))
    ?.groups;
  if (!parts) return null;
  const month = /^\d/.test(parts.month ?? "") ? Number(parts.month) - 1 : monthOf(parts.month ?? "");
  const hour = hourOf(parts.hour, parts.minute, parts.half);
  const [minute, second] = [Number(parts.minute ?? 0), Number(parts.second ?? 0)];
  if (month < 0 || hour === null || minute > 59 || second > 59) return null;
  const [year, day] = [Number(parts.year), Number(parts.day)];
  const time = new Date(Date.UTC(year, month, day, hour, minute, second));
  if (year < 1000 || time.getUTCDate() !== day || time.getUTCMonth() !== month) return null;
  return { time, dateOnly: parts.hour === undefined };
}

/**
 * The hour of the day; null when it is not one, or a bare number (`3 June 2026 14`) that need not be an hour at all.
 */
function hourOf(hour: string | undefined, minute: string | undefined, half: string | undefined): number | null {
  if (hour === undefined) return 0;
  const number = Number(hour);
  if (!half) return minute !== undefined && number <= 23 ? number : null;
  return number < 1 || number > 12 ? null : (number % 12) + (/^p/i.test(half) ? 12 : 0);
}
