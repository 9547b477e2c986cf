import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { together } from "#lib/core/together.ts";
import { allowTableChanges } from "./distributed/abilities.ts";
import { lockConnection } from "./locks.ts";
import { APP_ROLE, RIGHTS, requireOrdinary, settleLogin } from "./login.ts";
import { APP_SETTINGS } from "./pool.ts";
import { DIRECT_OPTIONS } from "./pooler.ts";
import { statementsIn } from "./script.ts";
import { continueTransactions } from "./transactions.ts";

const projectRoot = path.resolve(import.meta.dirname, "../..");

export type Migration = { name: string; sql: string; checksum: string };

/** The migrations of this release in order, with Prisma's checksum (SHA-256 of the file). */
export async function readMigrations(root = projectRoot): Promise<Migration[]> {
  const folder = path.join(root, "prisma/migrations");
  const names = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  return together(
    names.sort().map(async (name) => {
      const sql = await readFile(path.join(folder, name, "migration.sql"), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

/**
 * Applies what is missing, each migration in its own transaction, one instance at a time, and records it in
 * `_prisma_migrations` as `prisma migrate` would; then runs `also`, under the same lock. Refuses a database that a newer release has migrated and a migration
 * file that changed after it was applied.
 */
export async function migrate({
  url,
  log,
  root,
  also,
  before,
  pooledAs,
}: {
  url: string;
  log?: (line: string) => void;
  root?: string;
  /** the role that connections through a pooler log in as; they get their settings from the database */
  pooledAs?: string;
  /** other migrations that keep their own schema in the same database */
  also?: (url: string) => Promise<void>;
  /** what is done before a database of an earlier release is changed, under the same lock */
  before?: () => Promise<void>;
}): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(root);
  const client = new pg.Client({ connectionString: url, options: DIRECT_OPTIONS, application_name: "rapport-migrate" });
  await client.connect();
  try {
    if (pooledAs !== undefined) await requireOrdinary(client, pooledAs);
    await lockConnection(client, "migration");
    await client.query(`CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
      "id" VARCHAR(36) PRIMARY KEY NOT NULL, "checksum" VARCHAR(64) NOT NULL, "finished_at" TIMESTAMPTZ,
      "migration_name" VARCHAR(255) NOT NULL, "logs" TEXT, "rolled_back_at" TIMESTAMPTZ,
      "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(), "applied_steps_count" INTEGER NOT NULL DEFAULT 0)`);
    const done = await client.query<{ migration_name: string; checksum: string }>(
      `SELECT migration_name, checksum FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
    );
    const checksums = new Map(done.rows.map((row) => [row.migration_name, row.checksum]));
    checkHistory(migrations, checksums);
    const applied: string[] = [];
    const missing = migrations.filter(({ name }) => !checksums.has(name));
    if (checksums.size > 0 && missing.length > 0) await before?.();
    for (const migration of missing) {
      await apply(client, migration);
      applied.push(migration.name);
      log?.(`migrated ${migration.name}`);
    }
    await continueTransactions(client);
    await also?.(url);
    await ensureAppRole(client);
    if (pooledAs !== undefined) await settleLogin(client, pooledAs, APP_SETTINGS);
    return { applied };
  } finally {
    await client.end();
  }
}

/** Names of migrations that the database at `url` lacks; empty when it is up to date. */
export async function missingMigrations(
  query: (text: string) => Promise<{ migration_name: string }[]>,
  root?: string,
): Promise<string[]> {
  const rows = await query(
    `SELECT migration_name FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
  );
  const applied = new Set(rows.map((row) => row.migration_name));
  return (await readMigrations(root)).map(({ name }) => name).filter((name) => !applied.has(name));
}

function checkHistory(migrations: Migration[], checksums: Map<string, string>): void {
  const names = new Set(migrations.map(({ name }) => name));
  const foreign = [...checksums.keys()].find((name) => !names.has(name));
  if (foreign)
    throw new Error(`The database was migrated by a newer release (${foreign}); start that release instead.`);
  const edited = migrations.find(({ name, checksum }) => checksums.has(name) && checksums.get(name) !== checksum);
  if (edited) throw new Error(`Migration ${edited.name} changed after it was applied; restore the file.`);
}

/**
 * A migration waits this long for a table that others use, and then lets go of all it holds and begins again: those who wait behind
 * it get their turn, and a deadlock with readers of the version before ends before the second after which the database ends one of
 * them.
 */
const LOCK_MS = 300;
const PAUSE_MS = 500;
/** After so long it waits as long as it takes: what it did before the lock may take long, too. */
const TRYING_MS = 60_000;
/** lock_not_available, deadlock_detected */
const HELD: readonly unknown[] = ["55P03", "40P01"];

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  for (const since = performance.now(); ; ) {
    const yields = performance.now() - since < TRYING_MS;
    try {
      return await applyOnce(client, migration, yields ? LOCK_MS : 0);
    } catch (error) {
      if (yields && HELD.includes((error as pg.DatabaseError).code)) await sleep(PAUSE_MS);
      else throw new Error(`Migration ${migration.name} failed: ${(error as Error).message}`, { cause: error });
    }
  }
}

async function applyOnce(client: pg.Client, { name, sql, checksum }: Migration, lockMs: number): Promise<void> {
  try {
    await client.query("BEGIN");
    await client.query(`SET LOCAL lock_timeout = ${lockMs}`);
    await allowTableChanges(client);
    // One at a time: other machines get the whole text that a statement was sent in.
    for (const statement of statementsIn(sql)) await client.query(statement);
    await client.query(
      `INSERT INTO "_prisma_migrations" (id, checksum, finished_at, migration_name, applied_steps_count) VALUES ($1, $2, now(), $3, 1)`,
      [randomUUID(), checksum, name],
    );
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}

/** Gives `rapport_app` what it needs, where connections run as it; a login that ignores row level security makes it. */
async function ensureAppRole(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`SELECT ${RIGHTS} FROM pg_roles WHERE rolname = current_user`);
  const { bypasses = false, becomes = false } = rows[0] ?? {};
  if (bypasses) await makeAppRole(client);
  else if (!becomes) return;
  await client.query(`GRANT USAGE ON SCHEMA public TO ${APP_ROLE}`);
  await client.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${APP_ROLE}`);
  await client.query(`GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO ${APP_ROLE}`);
  await client.query(`GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO ${APP_ROLE}`);
}

async function makeAppRole(client: pg.Client): Promise<void> {
  await client.query(`DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${APP_ROLE}') THEN CREATE ROLE ${APP_ROLE} NOLOGIN NOBYPASSRLS; END IF;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`);
  await client.query(`GRANT ${APP_ROLE} TO CURRENT_USER`);
}
