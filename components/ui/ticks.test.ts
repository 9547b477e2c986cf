import fc from "fast-check";
import { expect, test } from "vitest";
import { ticksTo } from "./ticks.ts";

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [5, [0, 2, 4, 6]],
  [7, [0, 2, 4, 6, 8]],
  [10, [0, 5, 10]],
  [37, [0, 10, 20, 30, 40]],
  [90, [0, 25, 50, 75, 100]],
  [1_234, [0, 500, 1_000, 1_500]],
])("%d", (most, ticks) => expect(ticksTo(most)).toEqual(ticks));

test("ticks are whole, rise evenly from 0, are few, and reach every count", () => {
  fc.assert(
    fc.property(fc.nat({ max: 1_000_000_000 }), (most) => {
      const ticks = ticksTo(most);
      const [, each = 0] = ticks;
      expect(ticks.length).toBeLessThanOrEqual(5);
      expect(ticks).toEqual(ticks.map((_, place) => place * each));
      expect(Number.isInteger(each)).toBe(true);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(Math.max(1, most));
    }),
  );
});
