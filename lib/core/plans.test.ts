import { expect, test } from "vitest";
import {
  type Feature,
  features,
  planHas,
  plans,
  type Role,
  roleForScope,
  roleIncludes,
  roles,
  type Scope,
  scopeFault,
  scopeIncludes,
  scopes,
  scopesOfRole,
  withinRole,
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
  ["viewer", ["viewer"]],
  ["member", ["viewer", "member"]],
  ["admin", ["viewer", "member", "admin"]],
  ["owner", ["viewer", "member", "admin", "owner"]],
])("the role %s may do what needs %j", (role, allowed) => {
  expect(roles.filter((needed) => roleIncludes(role, needed))).toEqual(allowed);
});

test("each role has what the one before has, and the least one only reads", () => {
  expect(scopesOfRole[roles[0]]).toEqual(["read"]);
  for (const [place, role] of roles.entries())
    if (place > 0)
      expect(scopesOfRole[role]).toEqual(expect.arrayContaining([...scopesOfRole[roles[place - 1] as Role]]));
});

test.each<[Scope, Role]>([
  ["read", "viewer"],
  ["write", "member"],
  ["admin", "admin"],
])("the scope %s takes the role %s", (scope, role) => {
  expect(roleForScope(scope)).toBe(role);
});

test("a key of a viewer only reads, whatever it was given", () => {
  expect(withinRole(["read", "write", "admin"], "viewer")).toEqual(["read"]);
  expect(withinRole(["write"], "viewer")).toEqual([]);
});

test("a person is told their role, and a key its scopes", () => {
  expect(scopeFault(["read"], "write", "viewer").message).toBe(
    "Your role in this workspace is viewer; this needs member. Ask an owner or admin to change your role.",
  );
  expect(scopeFault(["read"], "write").message).toBe("This needs the scope write; the credential has read.");
  expect(scopeFault(["read"], "write", "owner").message).toBe("This needs the scope write; the credential has read.");
});
