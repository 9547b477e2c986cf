/** How times are written, in the reader's language and zone. Only in the browser: the server knows neither. */

const formats = {
  /** 22 Nov 2026 */
  day: { day: "numeric", month: "short", year: "numeric" },
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

const made = new Map<TimeFormat, Intl.DateTimeFormat>();

export function timeAs(format: TimeFormat, time: Date | number): string {
  let writer = made.get(format);
  if (!writer) {
    writer = new Intl.DateTimeFormat(undefined, formats[format]);
    made.set(format, writer);
  }
  return writer.format(time);
}
