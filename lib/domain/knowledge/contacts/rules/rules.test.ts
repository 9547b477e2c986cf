import { describe, expect, test } from "vitest";
import { deriveBelief, type Evidence } from "#lib/domain/records/evidence/service.ts";
import { DAY_MS } from "#lib/text/time.ts";
import { icpOf } from "../service/read.ts";
import { assess, claimsAt, standingsOf, verdictOf } from "./claims.ts";

const now = new Date("2026-11-21T12:00:00Z");
const ago = (days: number) => new Date(now.getTime() - days * DAY_MS);
let ids = 0;
const said = (value: unknown, daysAgo: number, more: Partial<Evidence> = {}): Evidence => ({
  id: `o${ids++}`,
  kind: "state",
  property: "job_title",
  value,
  source: "api",
  method: "observed",
  observedAt: ago(daysAgo),
  recordedAt: ago(daysAgo),
  causedBy: null,
  ...more,
});

test.each([
  [85, "tier_1", true],
  [84.4, "tier_2", true],
  [70, "tier_2", true],
  [69, "tier_3", false],
  [49, "not_icp", false],
])("a score of %d is %s", (score, tier, fit) => expect(icpOf(score)).toMatchObject({ tier, fit }));

test.each([[undefined], ["82"], [Number.NaN], [null]])("%j is no score", (score) =>
  expect(icpOf(score)).toBeUndefined(),
);

describe("claims of a moment", () => {
  const history = [said("Manager", 100), said("CFO", 50), said(null, 10), said("x", 5, { property: "a" })];
  test.each([
    ["now", null, null, ["a=x"]],
    ["then", ago(20), null, ["job_title=CFO"]],
    ["before that", ago(60), null, ["job_title=Manager"]],
    ["as known then", null, ago(60), ["job_title=Manager"]],
    ["before everything", ago(200), null, []],
  ])("%s", (_, asOf, knownAt, expected) => {
    const claims = claimsAt(history, { asOf, knownAt, now });
    expect(claims.map(({ property, value }) => `${property}=${value}`)).toEqual(expected);
  });
});

describe("what evidence is worth", () => {
  const manager = said("Manager", 100);
  const asserted = said("CFO", 50, { method: "asserted", source: "crm" });
  const agreeing = said("CFO", 20, { source: "mail" });
  const rival = said("CEO", 10, { source: "linkedin" });
  const all = [manager, asserted, agreeing, rival];

  test("it supports the present value, disagrees, or is past", () => {
    expect(Object.fromEntries(standingsOf(all))).toEqual({
      [asserted.id]: "current",
      [agreeing.id]: "current",
      [rival.id]: "conflicting",
    });
    const ending = said(null, 1, { method: "asserted" });
    expect(standingsOf([manager, ending]).get(ending.id)).toBe("current");
  });

  test.each([
    [
      all,
      "2 pieces of evidence from 2 sources support it, the latest on 2026-11-01 12:00 UTC. 1 source says something else.",
    ],
    [
      [manager],
      "1 piece of evidence from 1 source supports it, the latest on 2026-08-13 12:00 UTC. No one has confirmed it for 90 days: ask before you rely on it.",
    ],
    [
      [said("CFO", 50), said(null, 10)],
      "It ended on 2026-11-11 12:00 UTC: the latest evidence says that it is no longer so.",
    ],
  ])("%#: a verdict says so", (evidence, expected) => {
    const belief = deriveBelief(evidence);
    expect(belief && verdictOf(belief, now)).toBe(expected);
  });

  test("what ended is worth nothing", () => {
    const belief = {
      value: "CFO",
      method: "observed" as const,
      sourceCount: 1,
      lastObservedAt: ago(40),
      conflicts: [],
    };
    expect(assess(belief, true, now)).toEqual({ value: null, confidence: 0, freshness: "aging" });
    expect(assess(belief, false, now)).toMatchObject({ value: "CFO", confidence: 0.74 });
  });
});
