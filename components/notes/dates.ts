/** Days, both included; null is open. */
export type Span = { from: string | null; to: string | null };

/** The day of a note's date, which is a day or a moment. */
const dayOf = (date: string): string => date.slice(0, 10);

export const isIn = ({ from, to }: Span, date: string): boolean =>
  (from === null || dayOf(date) >= from) && (to === null || dayOf(date) <= to);

/** Notes come the latest first, so one from before the span says that the rest is older still. */
export const isPast = ({ from }: Span, date: string | undefined): boolean =>
  from !== null && date !== undefined && dayOf(date) < from;
