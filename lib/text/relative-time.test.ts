import { expect, test } from "vitest";
import { relativeTime } from "./relative-time.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const words = new Intl.RelativeTimeFormat("en", { numeric: "always" });

test.each([
  [0, "just now"],
  [-59_000, "just now"],
  [-90_000, "1 minute ago"],
  [-1.9 * DAY, "1 day ago"],
  [-14 * DAY, "2 weeks ago"],
  [14 * DAY - 1_000, "in 2 weeks"],
  [90_000, "in 2 minutes"],
  [400 * DAY, "in 1 year"],
])("%d ms from now is told as: %s", (ms, told) => {
  expect(relativeTime(ms, 0, words)).toBe(told);
});
