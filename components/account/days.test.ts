import { expect, test } from "vitest";
import { daysOf, localMinute } from "./days.ts";

const now = new Date("2026-11-21T12:00:00Z");
const at = (time: string) => ({ time });
const time = (item: { time: string }) => item.time;

test("days are in the reader's time zone", () => {
  const items = [at("2026-11-21T01:00:00.000Z"), at("2026-11-20T23:30:00.000Z"), at("2025-01-03T09:00:00.000Z")];
  expect(daysOf(items, "UTC", now, time).map(({ label, items: { length } }) => [label, length])).toEqual([
    ["Today", 1],
    ["Yesterday", 1],
    ["Friday, January 3, 2025", 1],
  ]);
  expect(daysOf(items, "Asia/Tokyo", now, time).map(({ label }) => label)).toEqual([
    "Today",
    "Friday, January 3, 2025",
  ]);
});

test("what is still to come is first, the soonest first", () => {
  const items = [at("2026-12-01T09:00:00.000Z"), at("2026-11-21T15:00:00.000Z"), at("2026-11-21T01:00:00.000Z")];
  expect(daysOf(items, "UTC", now, time).map(({ label, items }) => [label, items.map(time)])).toEqual([
    ["Upcoming", ["2026-11-21T15:00:00.000Z", "2026-12-01T09:00:00.000Z"]],
    ["Today", ["2026-11-21T01:00:00.000Z"]],
  ]);
});

test("a minute shown is read back as the same minute", () => {
  for (const time of ["2026-11-21T12:34:00.000Z", "2026-07-01T23:59:00.000Z"])
    expect(new Date(localMinute(new Date(time))).toISOString()).toBe(time);
});
