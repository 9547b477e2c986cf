import fc from "fast-check";
import { expect, test } from "vitest";
import { chartBegins, DayCounts, everyDay } from "./day-counts.ts";
import { DAY_MS } from "./time.ts";

test("every day of the chart is there once, today last, whatever the time", () => {
  fc.assert(
    fc.property(fc.date({ min: new Date("2000-01-01"), max: new Date("2100-01-01"), noInvalidDate: true }), (now) => {
      const days = everyDay(now, []);
      expect(DayCounts.parse(days)).toHaveLength(30);
      expect(new Set(days.map(({ day }) => day)).size).toBe(30);
      expect(days.at(-1)?.day).toBe(now.toISOString().slice(0, 10));
      expect(days[0]?.day).toBe(chartBegins(now).toISOString().slice(0, 10));
    }),
  );
});

test("counts are on their day, and those of other days are left out", () => {
  const now = new Date("2026-11-22T23:59:59Z");
  const at = (days: number) => new Date(Date.parse("2026-11-22") - days * DAY_MS);
  const days = everyDay(now, [
    { day: at(0), delivered: 3, failed: 1 },
    { day: at(29), delivered: 5, failed: 0 },
    { day: at(30), delivered: 7, failed: 7 },
  ]);
  expect(days[29]).toEqual({ day: "2026-11-22", delivered: 3, failed: 1 });
  expect(days[0]).toEqual({ day: "2026-10-24", delivered: 5, failed: 0 });
  expect(days.reduce((sum, { delivered, failed }) => sum + delivered + failed, 0)).toBe(9);
});
