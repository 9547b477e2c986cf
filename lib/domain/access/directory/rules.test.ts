import { expect, test } from "vitest";
import type { Role } from "#lib/core/plans.ts";
import { outcomeOf } from "./rules.ts";

type Row = [role: Role | null, given: Role | null, gives: Role | null, outcome: ReturnType<typeof outcomeOf>];

test.each<Row>([
  [null, null, null, null],
  [null, null, "viewer", { join: "viewer" }],
  ["member", null, null, null],
  ["member", null, "member", { change: "member" }],
  ["admin", null, "viewer", { change: "viewer" }],
  ["member", "member", "member", null],
  ["member", "member", "admin", { change: "admin" }],
  ["admin", "admin", "viewer", { change: "viewer" }],
  ["viewer", "member", "member", { change: "member" }],
  ["member", "member", null, "leave"],
  ["owner", null, null, null],
  ["owner", null, "viewer", { change: "owner" }],
  ["owner", "admin", "admin", null],
  ["owner", "admin", null, "leave"],
])("a %s whose groups gave %s and give %s: %j", (role, given, gives, outcome) => {
  expect(outcomeOf(role && { role, given, isLastOwner: false }, gives)).toEqual(outcome);
});

test.each<[Role | null, Role | null]>([
  [null, null],
  ["admin", null],
  ["admin", "viewer"],
])("the last owner whose groups gave %s and give %s stays one", (given, gives) => {
  const outcome = outcomeOf({ role: "owner", given, isLastOwner: true }, gives);
  expect(outcome === null || (typeof outcome === "object" && "change" in outcome && outcome.change === "owner")).toBe(
    true,
  );
});
