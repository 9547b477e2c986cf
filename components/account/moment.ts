/** The moment a page is read about; null: now. */
export type Moment = { day: string; by: "true" | "known"; at: string } | null;

const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));

/**
 * The end of that day in UTC, so that server and browser mean the same moment; a day that is not over yet means now.
 */
export function momentOf(place: { as_of: string | null; by: "known" | null }, now: number): Moment {
  const day = place.as_of;
  if (day === null || !isDay(day)) return null;
  const at = `${day}T23:59:59.999Z`;
  return Date.parse(at) >= now ? null : { day, by: place.by ?? "true", at };
}

/** The moment as operations take it. */
export const timeInput = (moment: Moment): { as_of?: string; known_at?: string } =>
  moment === null ? {} : moment.by === "known" ? { known_at: moment.at } : { as_of: moment.at };

/** True when something existed at the moment. */
export const isWithin = (moment: Moment, observedAt: string, recordedAt: string): boolean =>
  moment === null || (moment.by === "known" ? recordedAt : observedAt) <= moment.at;
