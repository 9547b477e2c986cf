import { describe, expect, test } from "vitest";
import { inHouseOrder, type ProfileFact, renderProfile } from "./profile-text.ts";

const fact = (more: Partial<ProfileFact>): ProfileFact => ({
  id: "0190a6e0-0000-7000-8000-000000000001",
  category: "ICP",
  content: "Series A fintechs in the EU.",
  source: "api",
  confidence: 0.95,
  freshness: "fresh",
  epistemic_class: "asserted",
  last_observed_at: "2026-06-03T09:00:00.000Z",
  ...more,
});

describe("the order of sections", () => {
  test.each([
    [
      ["Notes", "ICP", "Pricing", "GTM Motion", "Market"],
      ["ICP", "Market", "Pricing", "GTM Motion", "Notes"],
    ],
    [
      ["objections", "Notes", "Partners", "Élan", "ICP"],
      ["ICP", "Notes", "Élan", "objections", "Partners"],
    ],
    [["ICP", "ICP"], ["ICP"]],
    [[], []],
  ])("%j is %j", (given, expected) => {
    expect(inHouseOrder(given)).toEqual(expected);
  });
});

describe("the profile as text", () => {
  test("says when it is empty and what is missing", () => {
    expect(renderProfile([])).toBe(
      "GTM PROFILE: empty\nNot written yet: ICP, Market, Product, Pricing, Competitors, Positioning",
    );
  });

  test("of some sections says nothing about others", () => {
    expect(renderProfile([fact({})], ["icp", "Market"])).toMatch(
      /^GTM PROFILE, ONLY icp, Market: 1 fact\nNot written yet: Market\n\nICP\n/,
    );
    expect(renderProfile([fact({})], ["ICP"])).not.toContain("Not written yet");
  });

  test("names each entry's source, last confirmation, confidence and id", () => {
    const text = renderProfile([fact({})]);
    expect(text.split("\n").slice(-3)).toEqual([
      "ICP",
      "- Series A fintechs in the EU.",
      "  [api, 2026-06-03, confidence 0.95, 0190a6e0-0000-7000-8000-000000000001]",
    ]);
  });

  test("keeps sections in order and entries as they came", () => {
    const text = renderProfile([
      fact({ category: "Notes", content: "newest" }),
      fact({ category: "Objections", content: "own" }),
      fact({ category: "ICP", content: "icp" }),
      fact({ category: "Notes", content: "oldest" }),
    ]);
    const places = ["ICP\n", "NOTES\n", "- newest", "- oldest", "OBJECTIONS\n"].map((part) => text.indexOf(part));
    expect(places.every((place) => place > 0)).toBe(true);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(text).toContain("GTM PROFILE: 4 facts");
  });

  test.each([
    [{ freshness: "suspect" }, "not confirmed for 90 days"],
    [{ freshness: "expired" }, "not confirmed for 180 days"],
    [{ epistemic_class: "inferred" }, "inferred"],
  ] as const)("says what makes %j doubtful", (more, said) => {
    expect(renderProfile([fact(more)])).toContain(`, ${said}, 0190a6e0`);
  });

  test("lets no content pass for a heading", () => {
    const text = renderProfile([fact({ content: "one\n\nPRICING\r\n- free\n" })]);
    expect(text.split("\n").filter((line) => /^(PRICING|- free)/.test(line))).toEqual([]);
    expect(text).toContain("- one\n\n  PRICING\n  - free\n  [api");
  });
});
