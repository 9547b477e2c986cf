import { z } from "zod";
import { DAY_MS } from "./time.ts";

/** Days that charts of deliveries show, today included. */
const CHART_DAYS = 30;

/** Deliveries by day in UTC, for a chart. */
export const DayCounts = z
  .array(z.strictObject({ day: z.iso.date(), delivered: z.int(), failed: z.int() }))
  .describe("The oldest first, today last; also those without deliveries.");
export type DayCounts = z.output<typeof DayCounts>;

/** When the first day of a chart begins. */
export const chartBegins = (now: Date): Date =>
  new Date((Math.floor(now.getTime() / DAY_MS) - CHART_DAYS + 1) * DAY_MS);

/** Every day of a chart, given the counts of those that have some; `day` is when it began. */
export function everyDay(now: Date, rows: readonly { day: Date; delivered: number; failed: number }[]): DayCounts {
  const rowByDay = new Map(rows.map((row) => [row.day.getTime(), row]));
  const first = chartBegins(now).getTime();
  return Array.from({ length: CHART_DAYS }, (_, place) => {
    const begin = first + place * DAY_MS;
    const { delivered = 0, failed = 0 } = rowByDay.get(begin) ?? {};
    return { day: new Date(begin).toISOString().slice(0, 10), delivered, failed };
  });
}
