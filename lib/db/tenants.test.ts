/** Which rows a statement may see: each table that holds rows of workspaces is named with a condition on the workspace. */
import { beforeAll, expect, test } from "vitest";
import { everyStatement, tenantTables } from "#lib/testing/statements.fixture.ts";
import { declared } from "./statement.ts";

const tenants = new Set(tenantTables());

/** What may follow a table that has no name of its own. */
const NEXT = "ON|WHERE|SET|USING|CROSS|LEFT|INNER|JOIN|FULL|RIGHT|ORDER|GROUP|LIMIT|OFFSET|FOR|UNION|RETURNING|IS";
const TABLE = new RegExp(
  `\\b(?:(?<!DISTINCT )FROM|JOIN|UPDATE|USING)\\s+(?:ONLY\\s+)?([a-z_]+)\\b(?:\\s+(?:AS\\s+)?(?!(?:AS|${NEXT})\\b)([a-z_]+))?`,
  "gi",
);

/** How often each name stands for a table of tenants: an alias, or the table itself. */
function namesIn(text: string): Map<string, number> {
  const names = new Map<string, number>();
  for (const [, table = "", alias] of text.matchAll(TABLE)) {
    if (!tenants.has(table)) continue;
    const name = alias ?? table;
    names.set(name, (names.get(name) ?? 0) + 1);
  }
  return names;
}

const count = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;

/** A condition that two tables are of the same workspace. */
const PAIR = /\w+\.workspace_id = \w+\.workspace_id|\bUSING \(workspace_id\b/g;

/**
 * The names that stand for more tables than there are conditions on their workspace. A condition without a name may be of any, and
 * one between two tables is of both, but of all conditions together there must be one for each table.
 */
function unboundIn(text: string): string[] {
  const names = namesIn(text);
  const bare = count(text, /(?<![.\w])workspace_id = \$workspace/g);
  const lacking = [...names].flatMap(([name, times]): string[] => {
    const own = count(
      text,
      new RegExp(`\\b${name}\\.workspace_id = (\\$workspace|\\w+\\.)|= ${name}\\.workspace_id\\b`, "g"),
    );
    return Array(Math.max(0, times - own)).fill(name);
  });
  const tables = [...names.values()].reduce((sum, times) => sum + times, 0);
  const all = count(text, /\bworkspace_id = \$workspace/g) + count(text, PAIR);
  return lacking.length > bare || tables > all ? [...(lacking.length > bare ? lacking : names.keys())] : [];
}

beforeAll(async () => void (await everyStatement()));

/** Asked by a secret or by the signed-in user before the workspace is known: the answer names it. */
const BEFORE_WORKSPACE = [
  ...["api_key_by_hash", "invitation_by_token", "oauth_code_by_hash", "oauth_token_by_hash", "session_memberships"],
];

test("every statement binds each table of tenants that it names to a workspace", () => {
  const unbound = declared.filter(({ text }) => unboundIn(text).length > 0).map(({ name }) => name);
  expect(unbound.sort()).toEqual(BEFORE_WORKSPACE);
});

test("a condition that is left out is noticed, whichever it is", () => {
  const CONDITION = /(\b\w+\.)?\bworkspace_id = \$workspace/g;
  const without = (text: string) =>
    [...text.matchAll(CONDITION)].map(({ index, 0: { length } }) => text.slice(0, index) + text.slice(index + length));
  const texts = declared.filter(({ name }) => !BEFORE_WORKSPACE.includes(name)).flatMap(({ text }) => without(text));
  const missed = texts.filter((text) => unboundIn(text).length === 0);
  expect(texts.length).toBeGreaterThan(500);
  expect(missed).toEqual([]);
});
