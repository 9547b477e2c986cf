import { expect, test } from "vitest";
import { StageTable } from "#lib/domain/crm/stages/contract.ts";
import { timelineTypes } from "#lib/domain/records/evidence/contract.ts";
import { activityTypes, draftOf, isSameTable, problemsIn, tableOf } from "./stage-draft.ts";

const standard: StageTable = {
  max_age_days: 90,
  rules: [
    { type: "website_visit", stage: "aware" },
    { type: "meeting_held", stage: "evaluating" },
    { type: "custom", event: "deal_won", stage: "client" },
    { type: "custom", event: "payment_received", stage: "client" },
  ],
};
const draft = draftOf(standard);
const deal = { key: "new", event: "deal_won ", stage: "client" as const };

test("every type of activity has its line", () => {
  expect([...activityTypes].sort()).toEqual([...timelineTypes].sort());
});

test("a table that was not edited stays the same, and the server accepts it", () => {
  expect(isSameTable(tableOf(draft), standard)).toBe(true);
  expect(StageTable.safeParse(tableOf(draft)).success).toBe(true);
  expect(problemsIn(draft)).toBeNull();
});

test("a removed rule, another stage and other days are changes", () => {
  const { website_visit: _, ...others } = draft.byType;
  expect(isSameTable(tableOf({ ...draft, byType: others }), standard)).toBe(false);
  expect(isSameTable(tableOf({ ...draft, byType: { ...others, website_visit: "client" } }), standard)).toBe(false);
  expect(isSameTable(tableOf({ ...draft, events: draft.events.slice(1) }), standard)).toBe(false);
  expect(isSameTable(tableOf({ ...draft, maxAge: "91" }), standard)).toBe(false);
});

test.each(["", " ", "0", "1.5", "-3", "36501", "soon"])("%j is not a number of days", (maxAge) => {
  expect(problemsIn({ ...draft, maxAge })).toHaveProperty("maxAge");
});

test("an event has a name, and one rule", () => {
  const events = [...draft.events, deal, { ...deal, key: "blank", event: "  " }];
  expect(problemsIn({ ...draft, events })?.events).toEqual({
    new: "This event has a rule already.",
    blank: "Enter the name of the event.",
  });
});

test("more rules than the server accepts are reported as too many", () => {
  const events = Array.from({ length: 97 }, (_, n) => ({ ...deal, key: `${n}`, event: `event_${n}` }));
  expect(problemsIn({ ...draft, events: events.slice(0, 50) })).toBeNull();
  expect(problemsIn({ ...draft, events: [...events, ...draft.events] })).toHaveProperty("rules");
});
