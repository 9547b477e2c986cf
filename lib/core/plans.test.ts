import { expect, test } from "vitest";
import {
  type Feature,
  features,
  planHas,
  plans,
  type Role,
  roleIncludes,
  roles,
  type Scope,
  scopeIncludes,
  scopes,
} from "./plans.ts";

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

test.each<[Scope[], Scope[]]>([
  [[], []],
  [["read"], ["read"]],
  [["write"], ["read", "write"]],
  [["admin"], ["read", "write", "admin"]],
  [
    ["write", "read"],
    ["read", "write"],
  ],
])("who has the scopes %j may do what needs %j", (held, allowed) => {
  expect(scopes.filter((scope) => scopeIncludes(held, scope))).toEqual(allowed);
});

test.each<[Role, Role[]]>([
  ["member", ["member"]],
  ["admin", ["member", "admin"]],
  ["owner", ["member", "admin", "owner"]],
])("the role %s may do what needs %j", (role, allowed) => {
  expect(roles.filter((needed) => roleIncludes(role, needed))).toEqual(allowed);
});
