/** Events as iCalendar. */
const DAY_MS = 86_400_000;
const stamp = (date: Date): string => date.toISOString().replace(/[-:]|\.\d+/g, "");

/** Ten o'clock UTC, some days from now. */
export const inDays = (days: number, hour = 10): Date =>
  new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS + days * DAY_MS + hour * 3_600_000);

/** An hour's meeting as iCalendar: its properties by line. */
export const eventOf = (uid: string, start: Date, ...lines: string[]): string =>
  [
    ...["BEGIN:VEVENT", `UID:${uid}`, `DTSTART:${stamp(start)}`, `DTEND:${stamp(new Date(+start + 3_600_000))}`],
    ...[...lines, "END:VEVENT"],
  ].join("\r\n");

export const guestOf = (address: string, answer = "ACCEPTED", name?: string): string =>
  `ATTENDEE;${name ? `CN=${name};` : ""}PARTSTAT=${answer}:mailto:${address}`;

export const calendarOf = (...events: string[]): string =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", ...events, "END:VCALENDAR", ""].join("\r\n");

/** Another time of a repeated meeting takes the place of one that was planned. */
export const exceptionOf = (planned: Date): string => `RECURRENCE-ID:${stamp(planned)}`;
