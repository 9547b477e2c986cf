/** What `distribute` makes of the tables, and a later migration of a database that is distributed. */
import { beforeAll, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { CHECKED_TABLES, countAbout, insertAbout } from "#lib/testing/about.fixture.ts";
import { database, inspect } from "#lib/testing/database.ts";
import { administer } from "#lib/testing/postgres.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { readMigrations } from "../migrate.ts";
import { withWorkspace } from "../transaction.ts";
import { pretendCitus } from "./citus.fixture.ts";
import { distribute } from "./distribute.ts";

beforeAll(pretendCitus);

const keys = () =>
  inspect<{ definition: string }>(
    `SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) AS definition FROM pg_constraint
     WHERE contype = 'f' AND connamespace = 'public'::regnamespace ORDER BY 1`,
  ).then((rows) => rows.map(({ definition }) => definition));
const triggers = () =>
  inspect<{ name: string }>(
    `SELECT tgname AS name FROM pg_trigger JOIN pg_proc f ON f.oid = tgfoid
     WHERE NOT tgisinternal AND tgparentid = 0 AND f.proname LIKE 'rapport%' AND f.proname <> 'rapport_refuse_change' ORDER BY 1`,
  ).then((rows) => rows.map(({ name }) => name));

const OWN = CHECKED_TABLES.map(
  (table) =>
    `${table} ${table}_workspace_id_entity_id_fkey FOREIGN KEY (workspace_id, entity_id) REFERENCES entities(workspace_id, id) ON DELETE CASCADE`,
);

test("checks once a statement become foreign keys, and every other key comes back", async () => {
  const before = await keys();
  expect(await triggers()).toContain("claims_of_entities");
  const { distributed, workers } = await distribute({ url: database.url });
  expect(distributed).toEqual(expect.arrayContaining(["entities", ...CHECKED_TABLES]));
  expect(workers).toBe(2);
  expect(await triggers()).toEqual([]);
  expect(await keys()).toEqual([...before, ...OWN].sort());
  await expect(distribute({ url: database.url })).resolves.toEqual({ distributed: [], workers: 2 });
  expect(await keys()).toEqual([...before, ...OWN].sort());

  const { id } = await createTestWorkspace();
  for (const table of CHECKED_TABLES) {
    const insert = (entity: string) => withWorkspace(id, (db) => db.query(insertAbout(table), [[entity]]));
    await expect(insert(newId())).rejects.toMatchObject({ code: "23503" });
    await insert(id);
  }
  await inspect(`SET LOCAL rapport.erasing = 'on'; DELETE FROM workspaces WHERE id = '${id}'`);
  expect(await countAbout(id)).toEqual(CHECKED_TABLES.map(() => 0));
});

test("the migration that brings the checks leaves a database alone that was distributed before it", async () => {
  const migration = (await readMigrations()).find(({ name }) => name.endsWith("_checks_by_statement"));
  await inspect("DROP FUNCTION rapport_require_entities, rapport_remove_of_entities, rapport_refuse_move");
  const before = await keys();
  await administer(database.url, (client) => client.query(migration?.sql ?? ""));
  expect(await keys()).toEqual(before);
  expect(await triggers()).toEqual([]);
});
