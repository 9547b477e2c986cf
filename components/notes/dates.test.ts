import { expect, test } from "vitest";
import { isIn, isPast } from "./dates.ts";

const october = { from: "2026-10-01", to: "2026-10-31" };

test.each([
  ["2026-10-01", true],
  ["2026-10-31T23:59:00.000Z", true],
  ["2026-09-30T23:59:00.000Z", false],
  ["2026-11-01", false],
])("%s", (date, expected) => {
  expect(isIn(october, date)).toBe(expected);
});

test("an open side lets everything in", () => {
  expect(isIn({ from: null, to: null }, "1999-01-01")).toBe(true);
  expect(isPast({ from: null, to: null }, "1999-01-01")).toBe(false);
  expect(isPast(october, "2026-09-30")).toBe(true);
  expect(isPast(october, undefined)).toBe(false);
});
