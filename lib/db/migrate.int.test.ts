import { appendFile, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { administer, onDatabase, roleOf } from "#lib/testing/postgres.ts";
import { migrate, missingMigrations, readMigrations } from "./migrate.ts";

const { adminUrl, appUrl, template } = inject("testServer");

/** A folder with a test's own migrations. */
let root: string;
let url: string;
let count = 0;

beforeEach(async () => {
  count += 1;
  root = await mkdtemp(path.join(tmpdir(), "rapport-migrations-"));
  await mkdir(path.join(root, "prisma/migrations"), { recursive: true });
  // The names of all databases of a run begin with the template's; the run drops them at its end.
  const name = `${template}_migrate_${process.pid}_${count}`;
  await administer(adminUrl, (client) => client.query(`CREATE DATABASE ${name} OWNER ${roleOf(appUrl)}`));
  url = onDatabase(appUrl, name);
  return async () => {
    await administer(adminUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    await rm(root, { recursive: true });
  };
});

const fileOf = (name: string): string => path.join(root, "prisma/migrations", name, "migration.sql");
async function write(name: string, sql: string): Promise<void> {
  await mkdir(path.dirname(fileOf(name)), { recursive: true });
  await writeFile(fileOf(name), sql);
}
const ask = <Row extends object>(text: string): Promise<Row[]> =>
  administer(url, async (client) => (await client.query(text)).rows as Row[]);
const tables = async () =>
  (
    await ask<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> '_prisma_migrations' ORDER BY 1",
    )
  ).map(({ name }) => name);

describe("the migrator", () => {
  test("applies what is missing in the order of the names, and nothing twice", async () => {
    await write("20260102_second", "ALTER TABLE first ADD COLUMN b int");
    await write("20260101_first", "CREATE TABLE first (a int)");
    const lines: string[] = [];
    const log = (line: string) => lines.push(line);
    const before = async () => {
      lines.push("before an upgrade");
    };
    expect(await migrate({ url, root, log, before })).toEqual({ applied: ["20260101_first", "20260102_second"] });
    expect(await migrate({ url, root, log, before })).toEqual({ applied: [] });
    await write("20260103_third", "CREATE TABLE third ()");
    expect(await migrate({ url, root, log, before })).toEqual({ applied: ["20260103_third"] });
    const [first, second, third] = ["migrated 20260101_first", "migrated 20260102_second", "migrated 20260103_third"];
    expect(lines).toEqual([first, second, "before an upgrade", third]);
    expect(await tables()).toEqual(["first", "third"]);
  });

  test("records what Prisma's own command would", async () => {
    await write("20260101_first", "CREATE TABLE first (a int)");
    await migrate({ url, root });
    const rows = await ask(
      "SELECT checksum, migration_name, rolled_back_at, applied_steps_count, finished_at IS NOT NULL AS finished FROM _prisma_migrations",
    );
    const [migration] = await readMigrations(root);
    expect(rows).toEqual([
      {
        checksum: migration?.checksum,
        migration_name: "20260101_first",
        rolled_back_at: null,
        applied_steps_count: 1,
        finished: true,
      },
    ]);
  });

  test("lets one instance work at a time: of two, one applies and the other finds it done", async () => {
    await write("20260101_first", "CREATE TABLE first (a int); SELECT pg_sleep(0.2)");
    await write("20260102_second", "CREATE TABLE second (a int)");
    const both = await Promise.all([migrate({ url, root }), migrate({ url, root }), migrate({ url, root })]);
    expect(both.map(({ applied }) => applied.length).sort()).toEqual([0, 0, 2]);
    expect(await ask("SELECT count(*)::int AS rows FROM _prisma_migrations")).toEqual([{ rows: 2 }]);
  });

  test("lets go of tables that a reader needs, and begins again when the reader is done", async () => {
    await write("20260101_both", "CREATE TABLE first (a int); CREATE TABLE second (a int)");
    await migrate({ url, root });
    await write("20260102_change", "ALTER TABLE first ADD COLUMN b int; ALTER TABLE second ADD COLUMN b int");
    await administer(url, async (reader) => {
      await reader.query("BEGIN");
      await reader.query("SELECT FROM second");
      const migrated = migrate({ url, root });
      const waits = () =>
        ask("SELECT 1 FROM pg_locks WHERE relation = 'second'::regclass AND mode = 'AccessExclusiveLock'");
      await expect.poll(waits, { interval: 10 }).toHaveLength(1);
      await reader.query("SELECT FROM first"); // the migration has it, and waits for the reader
      await reader.query("COMMIT");
      expect(await migrated).toEqual({ applied: ["20260102_change"] });
    });
  });

  test("undoes a failed migration, keeps those before it, and goes on when it is fixed", async () => {
    await write("20260101_first", "CREATE TABLE first (a int)");
    await write("20260102_broken", "CREATE TABLE half (a int);\nSELECT 1 / 0;");
    await write("20260103_third", "CREATE TABLE third (a int)");
    await expect(migrate({ url, root })).rejects.toThrow("Migration 20260102_broken failed: division by zero");
    expect(await tables()).toEqual(["first"]);
    await write("20260102_broken", "CREATE TABLE half (a int)");
    expect(await migrate({ url, root })).toEqual({ applied: ["20260102_broken", "20260103_third"] });
  });

  test("names the line of a file with invalid SQL", async () => {
    await write("20260101_first", "CREATE TABEL first (a int)");
    await expect(migrate({ url, root })).rejects.toThrow(
      /^Migration 20260101_first failed: syntax error at or near "TABEL"$/,
    );
  });

  test("refuses a file that changed after it was applied, in one line, and changes nothing", async () => {
    await write("20260101_first", "CREATE TABLE first (a int)");
    await migrate({ url, root });
    await appendFile(fileOf("20260101_first"), "\n");
    await write("20260102_second", "CREATE TABLE second (a int)");
    await expect(migrate({ url, root })).rejects.toThrow(
      /^Migration 20260101_first changed after it was applied; restore the file\.$/,
    );
    expect(await tables()).toEqual(["first"]);
  });

  test("refuses a database that a newer release migrated, in one line, and changes nothing", async () => {
    await write("20260101_first", "CREATE TABLE first (a int)");
    await write("20260109_newer", "CREATE TABLE newer (a int)");
    await migrate({ url, root });
    await rm(path.dirname(fileOf("20260109_newer")), { recursive: true });
    await write("20260102_second", "CREATE TABLE second (a int)");
    await expect(migrate({ url, root })).rejects.toThrow(
      /^The database was migrated by a newer release \(20260109_newer\); start that release instead\.$/,
    );
    expect(await tables()).toEqual(["first", "newer"]);
  });

  test("releases its lock and its connection when it fails", async () => {
    await write("20260101_first", "SELECT 1 / 0");
    await expect(migrate({ url, root })).rejects.toThrow();
    await expect(migrate({ url, root })).rejects.toThrow("division by zero");
    await expect
      .poll(() =>
        ask(
          "SELECT 1 FROM pg_stat_activity WHERE application_name = 'rapport-migrate' AND datname = current_database()",
        ),
      )
      .toEqual([]);
  });

  test("says which migrations a database lacks", async () => {
    await write("20260101_first", "CREATE TABLE first (a int)");
    await migrate({ url, root });
    await write("20260102_second", "CREATE TABLE second (a int)");
    expect(await missingMigrations((text) => ask<{ migration_name: string }>(text), root)).toEqual(["20260102_second"]);
  });
});

describe("the migrations of this release", () => {
  let scratch: string;
  beforeAll(async () => {
    scratch = await mkdtemp(path.join(tmpdir(), "rapport-release-"));
    await cp("prisma/migrations", path.join(scratch, "prisma/migrations"), { recursive: true });
  });
  afterAll(() => rm(scratch, { recursive: true }));

  test("have names that sort by their time, each used once", async () => {
    const names = (await readMigrations()).map(({ name }) => name);
    for (const name of names) expect(name).toMatch(/^\d{14}_[a-z0-9_]+$/);
    const times = names.map((name) => name.slice(0, 14));
    expect(new Set(times).size).toBe(times.length);
  });

  test("apply to an empty database, by its owner and by a superuser alike", async () => {
    const { applied } = await migrate({ url, root: scratch });
    expect(applied.length).toBeGreaterThan(0);
    const asSuperuser = onDatabase(adminUrl, new URL(url).pathname.slice(1));
    expect(await migrate({ url: asSuperuser, root: scratch })).toEqual({ applied: [] });
  });
});
