import { describe, expect, test } from "vitest";
import { checkIds } from "./contract.ts";
import { checkOf, sectionsToRevisit, stateOfUnreachable } from "./rules.ts";

const countedAt = new Date("2026-06-03T08:17:00.000Z");

describe("a check", () => {
  test.each(checkIds)("%s says that there is nothing, or how many and what changes then", (id) => {
    expect(checkOf(id, { count: 0, countedAt })).toMatchObject({
      state: "fine",
      advice: null,
      says: expect.stringMatching(/\.$/),
    });
    expect(checkOf(id, { count: 1, countedAt }).says).toMatch(/^1 /);
    const many = checkOf(id, { count: 1_200, capped: true, countedAt });
    expect(many.says).toMatch(/^1,200 or more .*\.$/);
    expect(many.advice).toMatch(/\.$/);
  });

  test.each([
    ["triggers", 1, "failing"],
    ["integrations", 1, "failing"],
    ["keys", 1, "warning"],
    ["duplicates", 1, "warning"],
    ["aged_facts", 9, "fine"],
    ["aged_facts", 10, "warning"],
    ["unmatched_activities", 4, "fine"],
    ["single_source_facts", 400, "fine"],
  ] as const)("%s with %d is %s", (id, count, state) => {
    expect(checkOf(id, { count, countedAt }).state).toBe(state);
  });

  test("says when it was counted, or that it was not yet", () => {
    expect(checkOf("duplicates", { count: 1, countedAt }).counted_at).toBe("2026-06-03T08:17:00.000Z");
    expect(checkOf("duplicates", { count: 0, countedAt: null })).toMatchObject({
      state: "fine",
      counted_at: null,
      says: "Likely duplicates are not counted yet: this is done once an hour.",
      advice: null,
    });
  });

  test("names the first ten", () => {
    const items = Array.from({ length: 12 }, (_, n) => ({ text: `${n}`, entity_id: null }));
    expect(checkOf("duplicates", { count: 12, items, countedAt }).items).toHaveLength(10);
  });
});

test.each([
  [0, 0, "fine"],
  [1, 100, "fine"],
  [5, 100, "warning"],
  [3, 3, "warning"],
])("%d of %d people who cannot be reached: %s", (count, people, state) => {
  const capped = false;
  expect(stateOfUnreachable({ count, capped }, { count: people, capped })).toBe(state);
});

test("a section of the profile is named once, for being old before being inferred", () => {
  const fact = (category: string, freshness: "fresh" | "suspect", epistemic_class: "asserted" | "inferred") => ({
    category,
    freshness,
    epistemic_class,
  });
  const facts = [
    fact("ICP", "fresh", "inferred"),
    fact("ICP", "suspect", "asserted"),
    fact("ICP", "fresh", "inferred"),
    fact("Market", "fresh", "inferred"),
    fact("Product", "fresh", "asserted"),
  ];
  expect(sectionsToRevisit(facts).map(({ text }) => text)).toEqual([
    "ICP: not confirmed for 90 days",
    "Market: inferred by a machine",
  ]);
});
