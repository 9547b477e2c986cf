import { expect, test } from "vitest";
import { comingWords, lateWords } from "./event-words.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

test.each([
  [-DAY, null],
  [0, null],
  [DAY - 1, null],
  [DAY, "Recorded 1 day later"],
  [2.9 * DAY, "Recorded 2 days later"],
  [59 * DAY, "Recorded 59 days later"],
  [61 * DAY, "Recorded 2 months later"],
  [365 * DAY, "Recorded 12 months later"],
  [1100 * DAY, "Recorded 3 years later"],
])("an event recorded %i ms after it happened: %s", (ms, words) => {
  const happened = Date.UTC(2026, 5, 3);
  const event = {
    source: "fathom",
    observed_at: new Date(happened).toISOString(),
    recorded_at: new Date(happened + ms).toISOString(),
  };
  expect(lateWords(event)).toBe(words);
  for (const source of ["sample", "email", "calendar"]) expect(lateWords({ ...event, source })).toBeNull();
  expect(lateWords({ ...event, corrects: "0190a6e0-0000-7000-8000-000000000001" })).toBeNull();
});

test("what is still to come is called by what it is, not by its having been scheduled", () => {
  expect(["meeting_scheduled", "webinar"].map(comingWords)).toEqual(["Meeting", "Webinar"]);
});
