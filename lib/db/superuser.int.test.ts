/**
 * With a superuser's login, as hosted and containerised Postgres provide, connections still obey row level security; and so that
 * what serves requests has no right to change tables, any login that may become `rapport_app` does.
 */
import pg from "pg";
import { expect, test } from "vitest";
import { database, inspect } from "#lib/testing/database.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { APP_ROLE, loginOf } from "./login.ts";
import { migrate } from "./migrate.ts";
import { connectionOptions } from "./pool.ts";

test("a superuser's connections run as a role that sees no tenant", async () => {
  const { id } = await createTestWorkspace();
  await migrate({ url: database.adminUrl });
  expect((await loginOf(database.adminUrl)).bypasses).toBe(true);
  expect((await loginOf(database.url)).bypasses).toBe(false);

  const client = new pg.Client({
    connectionString: database.adminUrl,
    options: connectionOptions({ bypasses: true, becomes: true }),
  });
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

test("connections of an ordinary login become the role where it is a member, and change no table", async () => {
  const { id } = await createTestWorkspace();
  await migrate({ url: database.adminUrl });
  const owner = new URL(database.url).username;
  const login = `member_${id.slice(-12)}`;
  const url = Object.assign(new URL(database.url), { username: login, password: "member" }).href;
  await inspect(`CREATE ROLE ${login} LOGIN PASSWORD 'member' IN ROLE ${owner}`);
  try {
    expect(await loginOf(url)).toMatchObject({ bypasses: false, becomes: false });
    await inspect(`GRANT ${APP_ROLE} TO ${login}`);
    const now = await loginOf(url);
    expect(now).toMatchObject({ bypasses: false, becomes: true });
    await inspect(`REVOKE SELECT ON people FROM ${APP_ROLE}`);
    await migrate({ url });

    const client = new pg.Client({ connectionString: url, options: connectionOptions(now) });
    await client.connect();
    const ask = async (text: string) => (await client.query(text)).rows;
    expect(await ask("SELECT current_user AS role")).toEqual([{ role: APP_ROLE }]);
    expect(await ask("SELECT count(*)::int AS rows FROM people")).toEqual([{ rows: 0 }]);
    await client.query("BEGIN");
    await client.query(`SET LOCAL rapport.workspace_id = '${id}'`);
    expect(await ask("SELECT count(*)::int AS rows FROM entities")).toEqual([{ rows: 1 }]);
    await client.query("ROLLBACK");
    for (const change of ["DROP TABLE people", "ALTER TABLE people DISABLE ROW LEVEL SECURITY", "CREATE TABLE x ()"])
      await expect(client.query(change), change).rejects.toThrow(/must be owner|permission denied/);
    await client.end();
  } finally {
    await inspect(`DROP ROLE ${login}`);
  }
});
