import { expect, test } from "vitest";
import { type Feature, features, planHas, plans } from "./plans.ts";

test.each<[Feature, string[]]>([
  ["profile_and_records", ["free", "growth", "scale"]],
  ["agents", ["free", "growth", "scale"]],
  ["icp_scoring", ["free", "growth", "scale"]],
  ["crm_sync", ["growth", "scale"]],
  ["lead_lists", ["scale"]],
])("%s is part of %j", (feature, expected) => {
  expect(plans.filter((plan) => planHas(plan, feature))).toEqual(expected);
});

test("each plan has what the one before has", () => {
  for (const [place, plan] of plans.entries())
    for (const feature of features)
      if (place > 0 && planHas(plans[place - 1] as typeof plan, feature)) expect(planHas(plan, feature)).toBe(true);
});
