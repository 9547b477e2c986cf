/**
 * A setup file of every integration test: the test file gets a database of its own, copied from the migrated template,
 * and the boot record that names it. Services, `withWorkspace` and transports then work as in the running app.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type pg from "pg";
import { afterAll, inject } from "vitest";
import { getBoot, runShutdown, setBoot } from "#lib/core/boot.ts";
import { readEnv } from "#lib/core/env.ts";
import { singleton } from "#lib/core/singleton.ts";
import { closePool } from "#lib/db/pool.ts";
import { administer, onDatabase, roleOf } from "./postgres.ts";

type TestDatabase = {
  name: string;
  /** As the app connects. */
  url: string;
  /** May do anything in this database, row level security included; for checks that bypass the services. */
  adminUrl: string;
  dataDir: string;
};

/** Set by this file when it runs as a setup file, read by the tests. */
export const database = singleton<TestDatabase>("test-database", () => {
  const { adminUrl, appUrl, template } = inject("testServer");
  const name = `${template}_${process.pid}_${process.env.VITEST_POOL_ID ?? 0}_${Date.now().toString(36)}`;
  return {
    name,
    url: onDatabase(appUrl, name),
    adminUrl: onDatabase(adminUrl, name),
    dataDir: mkdtempSync(path.join(tmpdir(), "rapport-test-data-")),
  };
});

/** Where the test's own server listens, for what the app sends to its own address. */
const own: { port?: number } = {};

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

/** One statement as superuser, for assertions about what is really stored. */
export async function inspect<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
  return administer(database.adminUrl, async (client) => (await client.query<Row>(text, values)).rows);
}

const { adminUrl, appUrl, template } = inject("testServer");
await administer(adminUrl, (client) =>
  client.query(`CREATE DATABASE ${database.name} TEMPLATE ${template} OWNER ${roleOf(appUrl)}`),
);
bootWith();

afterAll(async () => {
  await runShutdown();
  await closePool();
  await administer(adminUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${database.name} WITH (FORCE)`));
  rmSync(database.dataDir, { recursive: true, force: true });
});
