import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { declared, queryOf } from "./statement.ts";

const root = path.resolve(import.meta.dirname, "../..");
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

describe("an array", () => {
  test.each<[what: string, text: string, values: unknown[], isBinary: boolean[]]>([
    ["of a known type", "SELECT $1::uuid[], $2::text[]", [[id], ["a"]], [true, true]],
    ["in a statement of a workspace", "SELECT $workspace, ($1::text[])[1]", [["a"]], [true, false]],
    ["used twice in one way", "SELECT $1::text[], $2, $1::text[]", [["a"], "b"], [true, false]],
    ["behind the tenth", "SELECT $10::text[], $1::jsonb", [["a"]], [false]],
    ["cast again", "SELECT $1::text[]::jsonb[]", [["1"]], [true]],
  ])("%s is sent in binary", (_what, text, values, isBinary) => {
    expect(queryOf({ name: "a", text }, values, id).values.map(Buffer.isBuffer)).toEqual(isBinary);
  });

  test.each<[what: string, text: string, value: unknown[], sent: unknown]>([
    ["without its type", "SELECT 'a' = ANY($1)", ["a"], '{"a"}'],
    ["used with its type and without it", "SELECT $1::text[], 'a' = ANY($1)", ["a"], '{"a"}'],
    ["used without its type first", "SELECT 'a' = ANY($1), $1::text[], $1::text[]", ["a"], '{"a"}'],
    ["of two types", "SELECT $1::text[], $1::uuid[], $1::text[]", [id], `{"${id}"}`],
    ["of a type that only this database has", "SELECT $1::scope[]", ["read"], '{"read"}'],
    ["of what the type does not have", "SELECT $1::uuid[]", ["a"], '{"a"}'],
    ["of nothing", "SELECT $1::uuid[]", [], "{}"],
    ["of arrays", "SELECT $1::text[]", [["a"]], [["a"]]],
  ])("%s is sent as text", (_what, text, value, sent) => {
    expect(queryOf({ name: "a", text }, [value], id).values).toEqual([sent]);
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

test("every statement about a tenant's table binds the workspace", async () => {
  const schema = globSync("prisma/schema/*.prisma", { cwd: root })
    .map((file) => readFileSync(path.join(root, file), "utf8"))
    .join("\n");
  const tables = [...schema.matchAll(/^model (\w+) \{([^}]*)^\}/gm)].flatMap(([, name = "", body = ""]) =>
    /@map\("workspace_id"\)/.test(body) ? [/@@map\("(\w+)"\)/.exec(body)?.[1] ?? name] : [],
  );
  expect(tables.length).toBeGreaterThan(20);
  const files = globSync("lib/**/queries{.ts,/*.ts}", { cwd: root }).filter((file) => !file.endsWith(".test.ts"));
  for (const file of files) await import(path.join(root, file));
  expect(declared.length).toBeGreaterThan(200);
  const named = new RegExp(`\\b(FROM|JOIN|INTO|UPDATE)\\s+"?(${tables.join("|")})\\b`);
  const bare = declared.filter(({ text }) => named.test(text) && !text.includes("$workspace")).map(({ name }) => name);
  expect(bare.filter((name) => !withoutWorkspace.has(name)).join()).toBe("");
  expect([...withoutWorkspace].filter((name) => !bare.includes(name))).toEqual([]);
});
