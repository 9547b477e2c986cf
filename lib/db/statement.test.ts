import { describe, expect, test } from "vitest";
import { everyStatement, tenantTables } from "#lib/testing/statements.fixture.ts";
import { queryOf } from "./statement.ts";

const id = "01920000-0000-7000-8000-000000000001";

describe("the workspace of a statement", () => {
  test.each([
    ["a row", "SELECT 1 WHERE $workspace = $2 OR $1", "SELECT 1 WHERE $3::uuid = $2 OR $1", [true, 2]],
    ["no other value", "SELECT $workspace, $workspace", "SELECT $1::uuid, $1::uuid", []],
    ["values out of order", "SELECT $11, $2, $workspace", "SELECT $11, $2, $12::uuid", [1]],
  ])("is bound behind %s", (_what, text, bound, values) => {
    expect(queryOf({ name: "a", text }, values, id)).toEqual({ name: "a", text: bound, values: [...values, id] });
  });

  test("is left out of a statement that does not use it, and refused when the work has none", () => {
    expect(queryOf({ name: "a", text: "SELECT $1" }, [1], id)).toEqual({ name: "a", text: "SELECT $1", values: [1] });
    expect(() => queryOf({ name: "people_find", text: "SELECT $workspace" }, [], null)).toThrow("people_find");
  });
});

/** Statements that find a tenant's row by proof (a key's hash, a token, a user), before its workspace is known. */
const withoutWorkspace = new Set<string>([
  "api_key_by_hash",
  "invitation_by_token",
  "session_memberships",
  "oauth_code_by_hash",
  "oauth_token_by_hash",
]);

test("every statement is found, also where it is not a slice that declares it", async () => {
  const names = new Set((await everyStatement()).map(({ name }) => name));
  const some = ["people_touch", "job_enqueue", "row_lock_tasks", "migrations_applied"];
  expect(some.filter((name) => !names.has(name))).toEqual([]);
});

test("every statement about a tenant's table binds the workspace", async () => {
  const tables = tenantTables();
  expect(tables.length).toBeGreaterThan(20);
  const declared = await everyStatement();
  expect(declared.length).toBeGreaterThan(200);
  const named = new RegExp(`\\b(FROM|JOIN|INTO|UPDATE)\\s+"?(${tables.join("|")})\\b`);
  const bare = declared.filter(({ text }) => named.test(text) && !text.includes("$workspace")).map(({ name }) => name);
  expect(bare.filter((name) => !withoutWorkspace.has(name)).join()).toBe("");
  expect([...withoutWorkspace].filter((name) => !bare.includes(name))).toEqual([]);
});
