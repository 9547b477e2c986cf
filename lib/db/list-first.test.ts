import { expect, test } from "vitest";
import { firstTried, nextTried } from "./list-first.ts";

test.each([
  [2, 12],
  [998, 3_996],
  [999, 4_000],
  [1_000, 4_000],
])("for a page of %d the first %d rows are tried", (limit, expected) => {
  expect(firstTried(limit)).toBe(expected);
});

test.each([
  [12, 0, 2, null],
  [100, 1, 39, 4_000], // of 4,000 then 40, one more than the page
  [100, 1, 40, null],
  [3_999, 10, 9, 4_000],
  [4_000, 10, 9, null],
])("after %d rows of which %d are in a list, for a page of %d so many are tried: %s", (tried, matches, limit, next) => {
  expect(nextTried(tried, matches, limit)).toBe(next);
});
