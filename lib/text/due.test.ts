import { expect, test } from "vitest";
import { dueIn } from "./due.ts";

// A Wednesday, in whatever zone the tests run.
const now = new Date(2026, 5, 3, 14, 0);

test.each([
  ["today", "2026-06-03"],
  [" Tomorrow ", "2026-06-04"],
  ["fri", "2026-06-05"],
  ["wednesday", "2026-06-10"],
  ["next monday", "2026-06-08"],
  ["next week", "2026-06-08"],
  ["in 3 days", "2026-06-06"],
  ["2w", "2026-06-17"],
  ["2026-07-01", "2026-07-01"],
  ["5 June", "2026-06-05"],
  ["jun 2", "2027-06-02"],
  ["1 Feb 2028", "2028-02-01"],
  ["tomorrow 15:30", new Date(2026, 5, 4, 15, 30).toISOString()],
  ["2026-06-05 at 9:00", new Date(2026, 5, 5, 9, 0).toISOString()],
  ["18:00", new Date(2026, 5, 3, 18, 0).toISOString()],
  ["2026-02-30", null],
  ["30 feb", null],
  ["someday", null],
  ["tomorrow 25:00", null],
  ["mo", null],
  ["", null],
])("%s is %s", (text, due) => expect(dueIn(text, now)).toBe(due));
