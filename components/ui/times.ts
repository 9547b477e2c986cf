import { localeOfReader } from "./reader.ts";

/**
 * How times are written, as the reader writes them and in their zone. `timeAs` is for the browser only, because the server
 * does not know the zone; `dayAs` is for days, which have none.
 */
const formats = {
  /** 22 Nov */
  short: { day: "numeric", month: "short" },
  /** 22 Nov 2026 */
  day: { day: "numeric", month: "short", year: "numeric" },
  /** 22 November 2026 */
  long: { day: "numeric", month: "long", year: "numeric" },
  /** Sunday */
  weekdayName: { weekday: "long" },
  /** Sunday 22 November */
  weekday: { weekday: "long", day: "numeric", month: "long" },
  /** Sunday 22 November 2026 */
  weekdayOfYear: { weekday: "long", day: "numeric", month: "long", year: "numeric" },
  /** 22 Nov 2026, 14:05 */
  minute: { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" },
  /** 14:05 */
  clock: { hour: "2-digit", minute: "2-digit" },
  /** Sun, 22 Nov 2026, 14:05 CET */
  exact: {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
  },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

export type TimeFormat = keyof typeof formats;

const made = new Map<string, Intl.DateTimeFormat>();

function writerOf(format: TimeFormat, zone: string | undefined): Intl.DateTimeFormat {
  const locale = localeOfReader();
  const key = `${format} ${zone ?? ""} ${locale}`;
  let writer = made.get(key);
  if (!writer) {
    writer = new Intl.DateTimeFormat(locale, {
      ...formats[format],
      ...("hour" in formats[format] && countsToTwelve(locale) ? { hour: "numeric" } : {}),
      ...(zone ? { timeZone: zone } : {}),
    });
    made.set(key, writer);
  }
  return writer;
}

/** "2:05 PM", but "02:05" where the day has 24 hours. */
const countsToTwelve = (locale: string): boolean =>
  new Intl.DateTimeFormat(locale, { hour: "numeric" }).resolvedOptions().hour12 === true;

/** `zone`: another than the reader's. */
export const timeAs = (format: TimeFormat, time: Date | number, zone?: string): string =>
  writerOf(format, zone).format(time);

/** A day such as `2026-11-22`, and nothing else. */
export const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text);

/** A time such as `2026-11-22T14:05:00Z`, and nothing else. */
export const isTime = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/.test(text) && !Number.isNaN(Date.parse(text));

/** A day, given as `2026-11-22`; other text stays as it is. */
export function dayAs(format: TimeFormat, day: string): string {
  const time = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(time.getTime()) ? day : writerOf(format, "UTC").format(time);
}

/** The day of a time in a zone, the reader's when none is given, as `2026-11-22`. */
export const calendarOf = (zone: string | undefined): ((time: Date) => string) => {
  const writer = new Intl.DateTimeFormat("en-CA", { ...(zone ? { timeZone: zone } : {}), dateStyle: "short" });
  return (time) => writer.format(time);
};

/** The name of the reader's zone, such as `Europe/Berlin`; only in the browser. */
export const zoneOfReader = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** "3d ago", "in 2w": the language is that of the app. */
export const relativeWords = new Intl.RelativeTimeFormat("en", { style: "narrow", numeric: "always" });
