const isoWithOffset = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?([Zz]|[+-]\d{2}:?\d{2})$/;
const dateOnly = /^\d{4}-\d{2}-(\d{2})$/;

const earliest = Date.parse("0001-01-01T00:00:00Z");
const latest = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * Parses ISO 8601 with an offset, or a plain date (midnight UTC). Returns null for anything else, an impossible date, or
 * a moment outside the years 0001 to 9999 (which neither Postgres nor our own output would carry as written).
 */
export function parseTime(text: string): Date | null {
  const day = dateOnly.exec(text.slice(0, 10));
  if (!day || !(text.length === 10 || isoWithOffset.test(text))) return null;
  const midnight = new Date(`${day[0]}T00:00:00Z`);
  if (midnight.getUTCDate() !== Number(day[1])) return null; // "2026-02-30" would roll over into March
  const time = text.length === 10 ? midnight : new Date(text.replace(" ", "T"));
  return time.getTime() >= earliest && time.getTime() <= latest ? time : null;
}

/** UTC, milliseconds, `Z`. */
export const formatTime = (time: Date): string => time.toISOString();

/** A time in a sentence for agents and people: "2026-06-03 14:00 UTC". The app shows it in the reader's zone. */
export const formatMinute = (time: Date): string => `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
