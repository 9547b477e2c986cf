/**
 * The database of the test file that runs now: a copy of the migrated template, made and dropped by `each-file.ts`. Services,
 * `withWorkspace` and transports work with it as in the running app.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { inject } from "vitest";
import { closePool } from "#lib/db/pool.ts";
import { getBoot, runShutdown, setBoot } from "#lib/settings/boot.ts";
import { readEnv } from "#lib/settings/env.ts";
import { administer, onDatabase, roleOf } from "./postgres.ts";
import { forgetProcessState } from "./process-state.ts";

type TestDatabase = {
  name: string;
  /** As the app connects. */
  url: string;
  /** May do anything in this database, row level security included; for checks that bypass the services. */
  adminUrl: string;
  dataDir: string;
};

export const database: TestDatabase = { name: "", url: "", adminUrl: "", dataDir: "" };

/** Where the test's own server listens, for what the app sends to its own address. */
const own: { port?: number } = {};

/** Makes the database of a test file, and the boot record that names it. The file before may have run in this process. */
export async function createDatabase(): Promise<void> {
  forgetProcessState();
  delete own.port;
  const { adminUrl, appUrl, template } = inject("testServer");
  const name = `${template}_${process.pid}_${process.env.VITEST_POOL_ID ?? 0}_${Date.now().toString(36)}`;
  const dataDir = mkdtempSync(path.join(tmpdir(), "rapport-test-data-"));
  Object.assign(database, { name, url: onDatabase(appUrl, name), adminUrl: onDatabase(adminUrl, name), dataDir });
  // As files: through the log, both the copy and its end take four times as long.
  await administer(adminUrl, (client) =>
    client.query(`CREATE DATABASE ${name} TEMPLATE ${template} OWNER ${roleOf(appUrl)} STRATEGY file_copy`),
  );
  bootWith();
}

/** Closes what the file opened, and drops its database. */
export async function dropDatabase(): Promise<void> {
  const { adminUrl } = inject("testServer");
  await runShutdown();
  await closePool();
  const opened = inspectors;
  inspectors = null;
  await opened?.end();
  await administer(adminUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${database.name} WITH (FORCE)`));
  rmSync(database.dataDir, { recursive: true, force: true });
}

/** From now on the app says that it listens on this port. */
export function listensOn(port: number): void {
  own.port = port;
  const boot = getBoot();
  setBoot({ ...boot, env: { ...boot.env, PORT: port } });
}

/** Sets the boot record again, with other settings where given; connections that are open stay as they are. */
export function bootWith(settings: Record<string, string> = {}): void {
  const env = readEnv({
    RAPPORT_DATA_DIR: database.dataDir,
    DATABASE_URL: database.url,
    LOG_LEVEL: "silent",
    PRIVATE_MAIL_SERVERS: "127.0.0.1",
    ...(own.port === undefined ? {} : { PORT: String(own.port) }),
    ...settings,
  } as Record<string, string> as NodeJS.ProcessEnv);
  setBoot({
    env,
    databaseUrl: database.url,
    secrets: {
      sessionSecret: "a session secret for tests, not for anything else",
      encryptionKeys: [{ id: "test", key: Buffer.alloc(32, "test") }],
    },
  });
}

/** Connections for `inspect`, kept while the file runs: signing in costs more than most statements. */
let inspectors: pg.Pool | null = null;

function inspectorPool(): pg.Pool {
  if (inspectors === null) {
    const named = { connectionString: database.adminUrl, application_name: "rapport-test" };
    inspectors = new pg.Pool({ ...named, max: 4, idleTimeoutMillis: 0 });
    // A test may end every connection to its database; the next statement opens another.
    inspectors.on("error", () => undefined);
  }
  return inspectors;
}

/**
 * One statement as superuser, for assertions about what is really stored. One with a `name` is planned once for each connection: for
 * statements that read every table, which takes longer to plan than to run.
 */
export async function inspect<Row extends pg.QueryResultRow>(
  text: string,
  values: unknown[] = [],
  name?: string,
): Promise<Row[]> {
  return (await inspectorPool().query<Row>({ text, values, name })).rows;
}
