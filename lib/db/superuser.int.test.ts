/**
 * With a superuser's login, as hosted and containerised Postgres provide, connections still obey row level security.
 */
import pg from "pg";
import { expect, test } from "vitest";
import { database, inspect } from "#lib/testing/database.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { loginOf } from "./login.ts";
import { migrate } from "./migrate.ts";
import { APP_ROLE, connectionOptions } from "./pool.ts";

test("a superuser's connections run as a role that sees no tenant", async () => {
  const { id } = await createTestWorkspace();
  await migrate({ url: database.adminUrl });
  expect((await loginOf(database.adminUrl)).bypasses).toBe(true);
  expect((await loginOf(database.url)).bypasses).toBe(false);

  const client = new pg.Client({ connectionString: database.adminUrl, options: connectionOptions(true) });
  await client.connect();
  const ask = async (text: string) => (await client.query(text)).rows;
  expect(await ask("SELECT current_user AS role")).toEqual([{ role: APP_ROLE }]);
  expect(await ask("SELECT count(*)::int AS rows FROM entities")).toEqual([{ rows: 0 }]);
  await client.query("BEGIN");
  await client.query(`SET LOCAL rapport.workspace_id = '${id}'`);
  expect(await ask("SELECT count(*)::int AS rows FROM entities")).toEqual([{ rows: 1 }]);
  await client.query("ROLLBACK");
  await expect(client.query("DROP TABLE entities")).rejects.toThrow("must be owner");
  await expect(client.query("ALTER TABLE entities DISABLE ROW LEVEL SECURITY")).rejects.toThrow("must be owner");
  await client.end();
});

test("the role reaches every table and sequence the app uses", async () => {
  await migrate({ url: database.adminUrl });
  const out = await inspect<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND (
       (c.relkind = 'r' AND NOT has_table_privilege($1, c.oid, 'SELECT, INSERT, UPDATE, DELETE')) OR
       (c.relkind = 'S' AND NOT has_sequence_privilege($1, c.oid, 'USAGE')))`,
    [APP_ROLE],
  );
  expect(out).toEqual([]);
});
