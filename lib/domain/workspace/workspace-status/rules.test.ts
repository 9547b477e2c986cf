import { expect, test } from "vitest";
import { missingFields, nextSteps, playbookOf, type Setup } from "./rules.ts";

const profile = {
  id: "0190a6e0-0000-7000-8000-000000000001",
  entity_id: "0190a6e0-0000-7000-8000-000000000001",
  name: "Acme",
  website: "https://acme.com",
  business_type: "software",
  plan_model: "both",
  default_signup_stage: "aware",
} as const;
const written = ["ICP", "Market", "Product", "Pricing", "Competitors", "Positioning"].map((category) => ({
  category,
  count: 1,
  stale: 0,
}));
const complete: Setup = {
  profile,
  facts: written,
  peopleKnown: true,
  triggers: { count: 1, disabled: 0 },
  model: { version: 1, signals: 9 },
};
const empty: Setup = {
  profile: { ...profile, website: null, business_type: null, plan_model: null, default_signup_stage: null },
  facts: [],
  peopleKnown: false,
  triggers: { count: 0, disabled: 0 },
  model: null,
};
const without = (category: string): Setup => ({
  ...complete,
  facts: written.filter((row) => row.category !== category),
});

test.each<[string, Setup, string[]]>([
  ["an empty workspace", empty, ["write_icp", "complete_onboarding", "write_playbook", "add_people"]],
  ["a complete one", complete, []],
  ["one without ICP", without("ICP"), ["write_icp"]],
  ["one without Pricing", without("Pricing"), ["write_playbook"]],
  [
    "one with a stale fact",
    { ...complete, facts: [{ category: "ICP", count: 2, stale: 1 }, ...written.slice(1)] },
    ["confirm_facts"],
  ],
  ["one without a website", { ...complete, profile: { ...profile, website: null } }, ["complete_onboarding"]],
  ["one without triggers", { ...complete, triggers: { count: 0, disabled: 0 } }, ["set_trigger"]],
  ["one with a disabled trigger", { ...complete, triggers: { count: 2, disabled: 1 } }, ["resume_triggers"]],
  ["one without a scoring model", { ...complete, model: null }, ["build_scoring_model"]],
  ["one without people", { ...complete, peopleKnown: false }, ["add_people"]],
])("the next steps of %s", (_, setup, ids) => {
  expect(nextSteps(setup).map(({ id }) => id)).toEqual(ids);
});

test("what is missing is named as onboarding names it", () => {
  expect(missingFields(empty)).toEqual(["website", "business_type", "plan_model", "default_signup_stage", "icp"]);
  expect(missingFields(complete)).toEqual([]);
});

test("the playbook is done with ICP and Product", () => {
  expect(playbookOf(complete)).toEqual({
    ...{ done: true, facts: 6, icp_facts: 1, stale_facts: 0 },
    model: { version: 1, signals: 9 },
  });
  expect(playbookOf(without("Product")).done).toBe(false);
  expect(playbookOf(empty).done).toBe(false);
});

test("a step says in plain words what is missing, and names the fields for agents", () => {
  const step = nextSteps(empty).find(({ id }) => id === "complete_onboarding");
  expect(step?.why).toBe(
    "Not known yet: your website, what kind of business you are, how customers start with your product and the stage of new sign-ups.",
  );
  expect(step?.how).toBe(
    "POST /v2/workspace/onboarding with website, business_type, plan_model, default_signup_stage.",
  );
  expect(nextSteps(without("Pricing")).find(({ id }) => id === "write_playbook")?.why).toBe(
    "Not written yet: Pricing.",
  );
});
