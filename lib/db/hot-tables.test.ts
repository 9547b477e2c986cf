/** Statements that Prisma should say: those of tables that are not hot. */
import { describe, expect, test } from "vitest";
import type { Statement } from "#lib/core/context.ts";
import { everyStatement, tables } from "#lib/testing/statements.fixture.ts";
import { HOT_TABLES, SPEAKS_SQL, UNSAYABLE } from "#lib/testing/structure/hot-tables.ts";

const NAMED = new RegExp(`\\b(?:FROM|JOIN|INTO|UPDATE|USING)\\s+"?(${tables().join("|")})\\b`, "g");

/** Whether a statement is about tables, none of which is hot. */
function isCold({ text }: Pick<Statement, "text">): boolean {
  const named = [...text.matchAll(NAMED)].map(([, table = ""]) => table);
  return named.length > 0 && !named.some((table) => HOT_TABLES.includes(table));
}

const isSayable = ({ text }: Pick<Statement, "text">): boolean =>
  isCold({ text }) && !UNSAYABLE.some(({ words }) => words.test(text));

describe("a statement written by hand", () => {
  test("is about a hot table, or says what Prisma cannot", async () => {
    const found = (await everyStatement()).filter(isSayable).map(({ name }) => name);
    expect(found.filter((name) => SPEAKS_SQL[name] === undefined)).toEqual([]);
    expect(Object.keys(SPEAKS_SQL).filter((name) => !found.includes(name))).toEqual([]);
  });

  test.each([
    "SELECT id FROM saved_views WHERE workspace_id = $workspace",
    "UPDATE exports SET state = 'done' WHERE workspace_id = $workspace AND id = $1",
    "INSERT INTO audit_log (workspace_id, id) VALUES ($workspace, $1) ON CONFLICT DO NOTHING",
    'DELETE FROM "tasks" WHERE workspace_id = $workspace',
    "SELECT FROM crm_runs r JOIN crm_run_rows n ON n.run_id = r.id",
  ])("is refused as %s", (text) => {
    expect(isSayable({ text })).toBe(true);
  });

  test.each([
    "SELECT id FROM people WHERE workspace_id = $workspace",
    "SELECT p.id FROM tasks t JOIN people p ON p.id = t.entity_id",
    "SELECT FROM exports WHERE workspace_id = $workspace AND id = $1 FOR NO KEY UPDATE",
    "INSERT INTO crm_configs (workspace_id) VALUES ($workspace) ON CONFLICT (workspace_id) DO UPDATE SET a = excluded.a",
    "SELECT pg_notify('rapport_keys', $1)",
  ])("may be %s", (text) => {
    expect(isSayable({ text })).toBe(false);
  });

  test("is about tables that there are", () => {
    expect(HOT_TABLES.filter((table) => !tables().includes(table))).toEqual([]);
    expect(Object.values(SPEAKS_SQL).filter((why) => why.length < 20)).toEqual([]);
  });
});
