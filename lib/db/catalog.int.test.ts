/** The rules about tenants that the database itself enforces, whatever the code above it does. */
import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import type { WorkspaceId } from "#lib/core/ids.ts";
import { catalogRules } from "#lib/testing/catalog.fixture.ts";
import { database, inspect } from "#lib/testing/database.ts";
import { addRow } from "#lib/testing/rows.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { sql } from "./statement.ts";
import { withErasure, withoutWorkspace, withWorkspace } from "./transaction.ts";

describe("the catalog", () => {
  test.each(catalogRules)("$name", async ({ find }) => {
    expect(await find()).toEqual([]);
  });

  test("is read by rules that can fail", async () => {
    await inspect(`CREATE TABLE careless (id uuid PRIMARY KEY, workspace_id uuid, member uuid, "key" text, at timestamp);
      CREATE UNIQUE INDEX careless_key ON careless ("key" DESC);
      CREATE TABLE careful (workspace_id uuid, id uuid, careless uuid REFERENCES careless (id) ON UPDATE CASCADE, PRIMARY KEY (workspace_id, id));
      ALTER TABLE careful ENABLE ROW LEVEL SECURITY;
      CREATE POLICY anybody ON careful USING (true);
      CREATE TRIGGER careful_tells BEFORE UPDATE ON careful FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger();
      CREATE TRIGGER careful_of_entities AFTER INSERT ON careful REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION rapport_require_entities()`);
    const silent: string[] = [];
    for (const { name, find } of catalogRules) if ((await find()).length === 0) silent.push(name);
    await inspect("DROP TABLE careful, careless");
    expect(silent).toEqual([]);
  });
});

/** Every tenant table has a row of workspace A and one of workspace B. */
const workspaces: { a: WorkspaceId; b: WorkspaceId } = { a: "" as WorkspaceId, b: "" as WorkspaceId };
let tables: string[] = [];

beforeAll(async () => {
  workspaces.a = (await createTestWorkspace()).id;
  workspaces.b = (await createTestWorkspace()).id;
  const found = await inspect<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'workspace_id' ORDER BY 1",
  );
  tables = found.map(({ name }) => name);
  for (const workspace of Object.values(workspaces)) await fill(workspace);
});

/** One row in each tenant table. */
async function fill(workspace: WorkspaceId): Promise<void> {
  for (const table of tables) await addRow(table, workspace);
}

const count = (table: string) => sql(`test_count_${table}`, `SELECT count(*)::int AS rows FROM "${table}"`);
const countOf = (table: string, workspace: string) =>
  sql("", `SELECT count(*)::int AS rows FROM "${table}" WHERE workspace_id = '${workspace}'`);
const rows = ([row]: { rows: number }[]): number => row?.rows ?? -1;

/** A tenant's row that a statement tries to write, with the columns that every tenant table has. */
const steal = (table: string) =>
  sql(`test_steal_${table}`, `UPDATE "${table}" SET workspace_id = $1 WHERE workspace_id = $2`);

describe("a statement without a workspace", () => {
  test("sees no row of any tenant table", async () => {
    const seen: string[] = [];
    for (const table of tables)
      if (rows(await withoutWorkspace((db) => db.query<{ rows: number }>(count(table)))) !== 0) seen.push(table);
    expect(tables.length).toBeGreaterThan(8);
    expect(seen).toEqual([]);
  });

  test("inserts into no tenant table", async () => {
    for (const table of tables) {
      const insert = sql(`test_copy_${table}`, `INSERT INTO "${table}" (workspace_id) VALUES ($1)`);
      await expect(
        withoutWorkspace((db) => db.query(insert, [workspaces.a])),
        table,
      ).rejects.toThrow(/row-level security/);
    }
  });

  test("changes and deletes nothing of any tenant", async () => {
    for (const table of tables) {
      const remove = sql(
        `test_remove_${table}`,
        `WITH gone AS (DELETE FROM "${table}" RETURNING 1) SELECT count(*)::int AS rows FROM gone`,
      );
      expect(rows(await withoutWorkspace((db) => db.query<{ rows: number }>(remove))), table).toBe(0);
    }
  });

  test("does not see a tenant by setting its workspace to nonsense", async () => {
    const set = sql("test_nonsense_workspace", "SELECT set_config('rapport.workspace_id', $1, true)");
    await expect(
      withoutWorkspace(async (db) => {
        await db.query(set, ["' OR true --"]);
        return db.query(count("entities"));
      }),
    ).rejects.toThrow();
  });
});

describe("with the workspace of A", () => {
  test("nothing of B is visible", async () => {
    for (const table of tables) {
      const [own, foreign, all] = await withWorkspace(workspaces.a, async (db) =>
        Promise.all([
          db.query<{ rows: number }>(countOf(table, workspaces.a)),
          db.query<{ rows: number }>(countOf(table, workspaces.b)),
          db.query<{ rows: number }>(count(table)),
        ]),
      );
      expect([rows(foreign) === 0, rows(own) > 0, rows(all) === rows(own)], table).toEqual([true, true, true]);
    }
  });

  test("nothing can be written into B, and no row of A moved there", async () => {
    for (const table of tables) {
      const insert = sql(`test_copy_${table}`, `INSERT INTO "${table}" (workspace_id) VALUES ($1)`);
      await expect(
        withWorkspace(workspaces.a, (db) => db.query(insert, [workspaces.b])),
        table,
      ).rejects.toThrow(/row-level security/);
      await expect(
        withWorkspace(workspaces.a, (db) => db.query(steal(table), [workspaces.b, workspaces.a])),
        table,
      ).rejects.toThrow(/row-level security|append-only/);
    }
  });

  test("nothing of B can be changed or deleted", async () => {
    for (const table of tables) {
      const changed = sql(
        `test_change_${table}`,
        `WITH changed AS (DELETE FROM "${table}" WHERE workspace_id = $1 RETURNING 1) SELECT count(*)::int AS rows FROM changed`,
      );
      expect(
        rows(await withWorkspace(workspaces.a, (db) => db.query<{ rows: number }>(changed, [workspaces.b]))),
        table,
      ).toBe(0);
    }
  });
});

describe.each(["observations", "audit_log"])("%s", (table) => {
  const attempts: [string, string][] = [
    ["update", `UPDATE "${table}" SET actor = 'somebody else'`],
    ["delete", `DELETE FROM "${table}"`],
  ];

  test.each(attempts)("refuses %s", async (_what, text) => {
    await expect(withWorkspace(workspaces.a, (db) => db.query(sql("", text)))).rejects.toThrow("append-only");
  });

  test("refuses truncate, even by the superuser", async () => {
    await expect(inspect(`TRUNCATE "${table}" CASCADE`)).rejects.toThrow("append-only");
    await expect(withErasure(workspaces.a, (db) => db.query(sql("", `TRUNCATE "${table}"`)))).rejects.toThrow();
  });

  test("refuses update even under erasure, and lets erasure delete", async () => {
    const change = sql("", `UPDATE "${table}" SET actor = 'somebody else'`);
    await expect(withErasure(workspaces.a, (db) => db.query(change))).rejects.toThrow("append-only");
    const rolledBack = withErasure(workspaces.a, async (db) => {
      await db.query(sql("", `DELETE FROM "${table}"`));
      expect(rows(await db.query<{ rows: number }>(count(table)))).toBe(0);
      throw new Error("keep them");
    });
    await expect(rolledBack).rejects.toThrow("keep them");
  });
});

test("an application role has no way around: it cannot switch row level security off for itself", async () => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query("SET row_security = off");
  await expect(client.query("SELECT * FROM entities")).rejects.toThrow(/row-level security/);
  await client.end();
});
