import fc from "fast-check";
import { expect, test } from "vitest";
import { NumberTable } from "./seen.ts";

/** Few different keys, so that they meet, among ones of all sizes. */
const key = fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 2 ** 48 - 1 }));

test("a table keeps what a map would, the first number of each key", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.integer({ min: 1, max: 1_000_000 })), { maxLength: 3_000 }), (pairs) => {
      const table = new NumberTable();
      const map = new Map<number, number>();
      for (const [one, value] of pairs) {
        expect(table.get(one)).toBe(map.get(one));
        table.add(one, value);
        if (!map.has(one)) map.set(one, value);
      }
      for (const [one, value] of map) expect(table.get(one)).toBe(value);
    }),
    { numRuns: 50 },
  );
});

test("keys that differ only in their upper or lower half are found quickly among many", () => {
  const table = new NumberTable();
  for (let n = 0; n < 100_000; n++) {
    table.add(n * 2 ** 32, n + 1);
    table.add(n, n + 1);
  }
  expect(table.get(99_999 * 2 ** 32)).toBe(100_000);
  expect(table.get(99_999)).toBe(100_000);
  expect(table.get(100_000)).toBeUndefined();
});

test("only positive numbers are kept, because 0 is a free slot", () => {
  expect(() => new NumberTable().add(1, 0)).toThrow(RangeError);
});
