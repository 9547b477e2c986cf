/** A password of the database that is read from a file again at each connection. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readEnv } from "#lib/settings/env.ts";
import { database, inspect } from "#lib/testing/database.ts";
import { connected } from "./connected.ts";
import { openDatabase } from "./embedded/open.ts";
import { readPasswordFrom } from "./password-file.ts";

const folder = mkdtempSync(path.join(tmpdir(), "rapport-password-"));
const file = path.join(folder, "password");
const role = `rotates_${process.pid}`;
const url = new URL("postgres://x");

beforeAll(async () => {
  const { host, pathname } = new URL(database.url);
  url.href = `postgres://${role}@${host}${pathname}`;
  await inspect(`CREATE ROLE ${role} LOGIN PASSWORD 'one'`);
});
afterAll(async () => {
  readPasswordFrom(undefined);
  await inspect(`DROP ROLE ${role}`);
  rmSync(folder, { recursive: true });
});

const whoAmI = () =>
  connected(
    { connectionString: url.href },
    async (client) => (await client.query("SELECT current_user AS who")).rows[0],
  );
const why = () =>
  whoAmI().then(
    () => "no error",
    ({ message }: Error) => message,
  );

test("is another as soon as the file has another", async () => {
  const env = readEnv({
    DATABASE_URL: url.href,
    DATABASE_PASSWORD_FILE: file,
    RAPPORT_DATA_DIR: folder,
  } as unknown as NodeJS.ProcessEnv);
  writeFileSync(file, "one\n");
  const opened = await openDatabase({ env, purpose: "cli" });
  expect(await whoAmI()).toEqual({ who: role });

  await inspect(`ALTER ROLE ${role} PASSWORD 'two words '`);
  expect(await why()).toContain("password authentication failed");
  writeFileSync(file, "two words \n");
  expect(await whoAmI()).toEqual({ who: role });
  // An address with a password keeps its own.
  expect(
    await connected({ connectionString: database.url }, async (client) => (await client.query("SELECT 1 AS one")).rows),
  ).toEqual([{ one: 1 }]);

  writeFileSync(file, "\n");
  expect(await why()).toBe(`DATABASE_PASSWORD_FILE is empty: ${file}.`);
  rmSync(file);
  expect(await why()).toBe(`DATABASE_PASSWORD_FILE cannot be read: ${file} (ENOENT).`);
  await opened.close();

  // Postgres waits a minute for the password of a connection that is left open, and makes and drops no database meanwhile.
  const waiting = "SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE state = 'starting'";
  await expect.poll(() => inspect(waiting)).toEqual([{ waiting: 0 }]);
});
