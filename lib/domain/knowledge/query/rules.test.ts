import { expect, test } from "vitest";
import { prefixRange, propertyMeant, spanOf, termsOf } from "./rules.ts";

test.each([
  ["Who mentioned the competitor Globex?", ["mentioned", "competitor", "globex"]],
  ["who is it", ["who", "is", "it"]],
  ["Zürich, ZÜRICH 100%", ["zürich", "100"]],
  ["?!", []],
  ["a b c d e f g h i j k l m n o p", ["b", "c", "d", "e", "f", "g", "h", "j", "k", "l"]],
])("the words of %j are %j", (question, terms) => {
  expect(termsOf(question)).toEqual(terms);
});

test.each([
  ["stage", "pipeline_stage"],
  ["company", "works_at"],
  ["constructor", "constructor"],
  ["email_received", "interaction.email_received"],
  ["meeting_booked", "interaction.meeting_scheduled"],
  ["interaction.", "interaction."],
  ["job_title", "job_title"],
])("the property %s means %s", (name, property) => {
  expect(propertyMeant(name)).toBe(property);
});

test.each([
  [{}, null, null],
  [{ since_days: 2 }, "2026-11-19T12:00:00.000Z", null],
  [{ since_days: 2, from: new Date("2026-11-20") }, "2026-11-20T00:00:00.000Z", null],
  [{ since_days: 2, from: new Date("2026-01-01") }, "2026-11-19T12:00:00.000Z", null],
  [{ to: new Date("2026-01-01") }, null, "2026-01-01T00:00:00.000Z"],
])("the span of %j is from %s to %s", (span, from, to) => {
  const found = spanOf(span, new Date("2026-11-21T12:00:00Z"));
  expect([found.from?.toISOString() ?? null, found.to?.toISOString() ?? null]).toEqual([from, to]);
});

test("a prefix is a range that holds what begins with it, and no more", () => {
  const { low, high } = prefixRange("interaction.");
  for (const property of ["interaction.", "interaction.call", "interaction.z"])
    expect(property >= low && property < high).toBe(true);
  for (const property of ["interactions", "interaction", "job_title"])
    expect(property >= low && property < high).toBe(false);
  expect(prefixRange(undefined).low).toBe("");
});
