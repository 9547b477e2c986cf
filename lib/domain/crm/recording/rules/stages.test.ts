import { describe, expect, test } from "vitest";
import { timelineTypes } from "#lib/domain/records/evidence/contract.ts";
import { DAY_MS } from "#lib/text/time.ts";
import { eventIn, isHigher, type Stage, type StageRules, stageAfter, standardRules } from "./stages.ts";

const stages: Stage[] = ["identified", "aware", "interested", "evaluating", "client"];
const now = new Date("2026-11-21T12:00:00Z");
const signal = (type: string, event: string | null = null, ageMs = 0) => ({
  type,
  event,
  occurredAt: new Date(now.getTime() - ageMs),
  recordedAt: now,
});

/** The least stage after each type, as in the contract; types that are not here move nothing. */
const least: Record<string, Stage> = {
  website_visit: "aware",
  email_opened: "aware",
  email_received: "interested",
  linkedin_message: "interested",
  meeting_scheduled: "evaluating",
  meeting_held: "evaluating",
};
const events = ["deal_won", "proposal_signed", "payment_received", "deal_lost", "", null];

describe("every type at every stage", () => {
  for (const type of timelineTypes) {
    for (const before of stages) {
      const to = least[type];
      const after = to && isHigher(to, before) ? to : before;
      test(`${type} at ${before} is ${after}`, () =>
        expect(stageAfter(standardRules, before, signal(type))).toBe(after));
    }
  }
  for (const event of events) {
    for (const before of stages) {
      const after = ["deal_won", "proposal_signed", "payment_received"].includes(event ?? "") ? "client" : before;
      test(`custom ${JSON.stringify(event)} at ${before} is ${after}`, () =>
        expect(stageAfter(standardRules, before, signal("custom", event))).toBe(after));
    }
  }
});

test.each([
  ["90 days exactly", 90 * DAY_MS, "evaluating"],
  ["a millisecond more", 90 * DAY_MS + 1, "identified"],
  ["in the future", -30 * DAY_MS, "evaluating"],
])("what happened %s ago", (_, age, after) => {
  expect(stageAfter(standardRules, "identified", signal("meeting_held", null, age))).toBe(after);
});

test("a workspace's own table counts alone, its highest rule that fits, its own number of days", () => {
  const own: StageRules = {
    max_age_days: 1,
    rules: [
      { type: "custom", stage: "aware" },
      { type: "custom", event: "demo", stage: "evaluating" },
      { type: "call", stage: "interested" },
    ],
  };
  const after = (type: string, event: string | null = null, age = 0) =>
    stageAfter(own, "identified", signal(type, event, age));
  expect([
    after("custom"),
    after("custom", "x"),
    after("custom", "demo"),
    after("call"),
    after("meeting_held"),
  ]).toEqual(["aware", "aware", "evaluating", "interested", "identified"]);
  expect(after("call", null, 2 * DAY_MS)).toBe("identified");
});

test.each([
  [{ metadata: { event: "deal_won" } }, "deal_won"],
  [{ event: "deal_won" }, "deal_won"],
  [{ metadata: { event: 7 }, event: "deal_won" }, null],
  [{ metadata: { amount: 7 }, event: "deal_won" }, "deal_won"],
  [{ metadata: { event: ["deal_won"] } }, null],
  [{ metadata: null }, null],
  ["deal_won", null],
  [["deal_won"], null],
  [null, null],
  [undefined, null],
])("the event in %j is %j", (value, event) => expect(eventIn(value)).toBe(event));
