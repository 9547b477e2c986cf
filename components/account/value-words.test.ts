import { expect, test } from "vitest";
import { valueWords } from "./value-words.ts";

test.each([
  ["renewal_at", "2026-11-22T14:05:00.000Z", "2026-11-22 14:05 UTC"],
  ["renewal_at", "2026-11-22T14:05:00+02:00", "2026-11-22 12:05 UTC"],
  ["renewal", "2026-11-22", "Nov 22, 2026"],
  ["founded", 2019, "2019"],
  ["employees", 2019, "2,019"],
  ["calls", ["2026-11-22T14:05:00Z", "none"], "2026-11-22 14:05 UTC, none"],
  ["funding", { year: 2019, amount: 5000 }, "Year: 2019 · Amount: 5,000"],
  ["budget", null, "Ended"],
  ["has_budget", true, "Yes"],
])("%s %j reads %s", (property, value, words) => {
  expect(valueWords(property, value)).toBe(words);
});
