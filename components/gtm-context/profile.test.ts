import { describe, expect, test } from "vitest";
import { addEntry, type EntryVersion, scoringSections, sections } from "#lib/domain/records/facts/contract.ts";
import { worthRevisiting } from "#lib/domain/records/facts/words.ts";
import { MAX_CONTENT } from "./limits.ts";
import { completeness, groupFacts, groupNamed, slugOf, stateOf } from "./profile.ts";
import { scoringSectionNames, sectionNames } from "./sections.ts";

const fact = (category: string, more: Partial<EntryVersion> = {}): EntryVersion => ({
  id: `${category}-${more.content ?? ""}`,
  category,
  content: "text",
  source: "api",
  recorded_at: "2026-06-03T09:00:00.000Z",
  confidence: 0.95,
  freshness: "fresh",
  epistemic_class: "asserted",
  last_observed_at: "2026-06-03T09:00:00.000Z",
  supersedes: null,
  author: "Ada Lovelace",
  client: null,
  ...more,
});

test("the tab's sections are those of the contract", () => {
  expect(sectionNames).toEqual([...sections]);
  expect(scoringSectionNames).toEqual([...scoringSections]);
});

test("the editor's limit is that of the contract", () => {
  const fits = (length: number) => addEntry.input.safeParse({ category: "ICP", content: "x".repeat(length) }).success;
  expect([fits(MAX_CONTENT), fits(MAX_CONTENT + 1)]).toEqual([true, false]);
});

describe("groups", () => {
  test("contain every section in order, then own categories by name, entries in their given order", () => {
    const facts = [fact("Zebra"), fact("Notes", { content: "b" }), fact("Élan"), fact("Notes", { content: "a" })];
    const groups = groupFacts(facts, ["objections", "ICP"]);
    expect(groups.map((group) => group.category)).toEqual([...sections, "Élan", "objections", "Zebra"]);
    expect(groups.find((group) => group.category === "Notes")?.facts.map((each) => each.content)).toEqual(["b", "a"]);
    expect(groups[0]?.facts).toEqual([]);
  });

  test("have different slugs even when names are nearly equal", () => {
    const slugs = groupFacts([fact("icp"), fact("A b"), fact("a-b"), fact("!!!")]).map((group) => group.slug);
    expect(slugs.slice(sections.length)).toEqual(["category", "a-b", "a-b-2", "icp-2"]);
    expect(new Set(slugs).size).toBe(slugs.length);
  });

  test.each([
    ["icp", "ICP"],
    ["ICP", "ICP"],
    ["gtm-motion", "GTM Motion"],
    ["GTM Motion", "GTM Motion"],
    ["case-studies", "Case studies"],
    ["nope", undefined],
  ])("are found by %s", (name, category) => {
    expect(groupNamed(groupFacts([fact("Case studies")]), name)?.category).toBe(category);
  });

  test.each([
    ["GTM Motion", "gtm-motion"],
    ["  Élan vital! ", "élan-vital"],
    ["###", "category"],
  ])("the slug of %s is %s", (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });
});

describe("completeness", () => {
  test.each([
    [[], 0, [...scoringSections]],
    [["ICP", "ICP", "Notes", "GTM Motion"], 1, scoringSections.slice(1)],
    [[...sections], 6, []],
  ])("of %j is %i of 6", (categories, filled, missing) => {
    expect(completeness(categories.map((category) => fact(category)))).toEqual({ filled, of: 6, missing });
  });
});

test.each([
  ["ICP", [], "missing"],
  ["Notes", [], "empty"],
  ["Objections", [], "empty"],
  ["ICP", [fact("ICP")], "complete"],
  ["ICP", [fact("ICP"), fact("ICP", { freshness: "expired" })], "revisit"],
  ["Notes", [fact("Notes", { epistemic_class: "inferred" })], "revisit"],
] as const)("%s with %j is %s", (category, facts, state) => {
  expect(stateOf({ category, facts })).toBe(state);
});

describe("worth revisiting", () => {
  test.each([
    ["fresh", "asserted", null],
    ["aging", "observed", null],
    ["suspect", "asserted", "old"],
    ["expired", "inferred", "old"],
    ["fresh", "inferred", "inferred"],
  ] as const)("a %s %s fact: %s", (freshness, epistemic_class, why) => {
    expect(worthRevisiting({ freshness, epistemic_class })).toBe(why);
  });
});
