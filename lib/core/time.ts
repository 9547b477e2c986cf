const isoWithOffset = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?([Zz]|[+-]\d{2}:?\d{2})$/;
const dateOnly = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Parses ISO 8601 with an offset, or a plain date (midnight UTC). Returns null for anything else or an impossible date. */
export function parseTime(text: string): Date | null {
  const day = dateOnly.exec(text.slice(0, 10));
  if (!day || !(text.length === 10 || isoWithOffset.test(text))) return null;
  const calendar = new Date(Date.UTC(Number(day[1]), Number(day[2]) - 1, Number(day[3])));
  if (calendar.getUTCMonth() !== Number(day[2]) - 1) return null;
  const time = new Date(text.length === 10 ? `${text}T00:00:00Z` : text.replace(" ", "T"));
  return Number.isNaN(time.getTime()) ? null : time;
}

/** UTC, milliseconds, `Z`. */
export const formatTime = (time: Date): string => time.toISOString();

export const DAY_MS = 86_400_000;
