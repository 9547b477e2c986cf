import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rowsInView, scrollTo } from "./rows-in-view.ts";

const view = { top: 200, from: 0, to: 900, rowHeight: 40, count: 1_000, overscan: 0 };

describe("the rows to draw", () => {
  test.each([
    ["at the start", {}, { first: 0, end: 18 }],
    ["in the middle", { from: 4_000, to: 4_900 }, { first: 95, end: 118 }],
    ["with some more", { from: 4_000, to: 4_900, overscan: 12 }, { first: 83, end: 130 }],
    ["at the end", { from: 40_000, to: 40_900, overscan: 12 }, { first: 983, end: 1_000 }],
    ["of a list that became shorter", { from: 40_000, to: 40_900, count: 3 }, { first: 3, end: 3 }],
    ["of an empty list", { count: 0 }, { first: 0, end: 0 }],
  ])("%s", (_, change, wanted) => {
    expect(rowsInView({ ...view, ...change })).toEqual(wanted);
  });

  test("every row that is seen is drawn, and no row that is not there", () => {
    const sizes = fc.record({
      top: fc.integer({ min: 0, max: 1_000 }),
      from: fc.integer({ min: 0, max: 100_000 }),
      height: fc.integer({ min: 1, max: 3_000 }),
      rowHeight: fc.integer({ min: 20, max: 120 }),
      count: fc.integer({ min: 0, max: 2_000 }),
      overscan: fc.integer({ min: 0, max: 20 }),
    });
    fc.assert(
      fc.property(sizes, ({ height, ...rest }) => {
        const { first, end } = rowsInView({ ...rest, to: rest.from + height });
        expect(first).toBeGreaterThanOrEqual(0);
        expect(end).toBeLessThanOrEqual(rest.count);
        for (let index = 0; index < rest.count; index++) {
          const start = rest.top + index * rest.rowHeight;
          const isSeen = start < rest.from + height && start + rest.rowHeight > rest.from;
          if (isSeen && (index < first || index >= end)) throw new Error(`row ${index} is missing`);
        }
      }),
    );
  });
});

describe("scrolling to a row", () => {
  const place = { top: 200, from: 1_000, to: 1_900, rowHeight: 40, covered: { start: 100, end: 60 } };
  test.each([
    ["that is seen", 30, 0],
    ["under the header that stays", 21, -60],
    ["far above", 0, -900],
    ["under the bar at the bottom", 41, 40],
    ["far below", 100, 2_400],
  ])("%s", (_, index, wanted) => {
    expect(scrollTo({ ...place, index })).toBe(wanted);
  });
});
