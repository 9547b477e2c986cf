/**
 * Runs once before all integration tests (vitest's globalSetup): one real Postgres, and one migrated template that
 * every test file copies. The server is `TEST_DATABASE_URL` when that is set, else an embedded one thrown away after.
 */
import { randomBytes } from "node:crypto";
import { chmod, rm } from "node:fs/promises";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { singleton } from "#lib/core/singleton.ts";
import { startEmbedded } from "#lib/db/embedded/embedded.ts";
import { migrate } from "#lib/db/migrate.ts";
import { migrateQueue } from "#lib/jobs/schema.ts";
import { databaseFolder } from "./folders.ts";

export type TestServer = {
  /** May create databases. */
  adminUrl: string;
  /** What the app connects with; it owns the template and its copies. */
  appUrl: string;
  /** The template's name, and the beginning of the name of every copy. */
  template: string;
};

declare module "vitest" {
  interface ProvidedContext {
    testServer: TestServer;
  }
}

type Running = { server: TestServer; stop(): Promise<void> };

/** One server for all projects of a run: vitest calls `setup` for each of them. */
const shared = singleton<{ running: Promise<Running> | null; users: number }>("test-server", () => ({
  running: null,
  users: 0,
}));

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (shared.users++ === 0) process.stdout.write(`TORTURE_SEED=${process.env.TORTURE_SEED}\n`);
  shared.running ??= start();
  const { server, stop } = await shared.running;
  project.provide("testServer", server);
  return async () => {
    if (--shared.users > 0) return;
    shared.running = null;
    await stop();
  };
}

async function start(): Promise<Running> {
  const server = await startServer();
  const template = `rapport_test_${randomBytes(4).toString("hex")}`;
  try {
    await administer(server.adminUrl, async (client) => {
      await client.query(`CREATE DATABASE ${template} OWNER ${roleOf(server.appUrl)}`);
    });
    await migrate({ url: onDatabase(server.appUrl, template), also: migrateQueue });
  } catch (error) {
    await server.stop();
    throw error;
  }
  const stop = async (): Promise<void> => {
    await administer(server.adminUrl, async (client) => {
      const left = await client.query<{ datname: string }>(
        "SELECT datname FROM pg_database WHERE starts_with(datname, $1)",
        [template],
      );
      for (const { datname } of left.rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
    });
    await server.stop();
  };
  return { server: { adminUrl: server.adminUrl, appUrl: server.appUrl, template }, stop };
}

/** The server under all test databases, and the one a migration is worked out on. */
export async function startServer(): Promise<{ adminUrl: string; appUrl: string; stop: () => Promise<void> }> {
  const ownServer = process.env.TEST_DATABASE_URL;
  if (ownServer) return { adminUrl: ownServer, appUrl: ownServer, stop: async () => {} };

  const dataDir = databaseFolder("rapport-test-");
  // As root the server runs under another account, which must be able to pass.
  await chmod(dataDir, 0o711);
  const lines: string[] = [];
  const remove = () => rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  try {
    const embedded = await startEmbedded({ dataDir, durable: false, log: (line) => lines.push(line) });
    const stop = async (): Promise<void> => {
      await embedded.stop();
      await remove();
    };
    return { adminUrl: embedded.superuserUrl, appUrl: embedded.url, stop };
  } catch (error) {
    await remove();
    throw new Error(["The test database did not start:", (error as Error).message, ...lines].join("\n"), {
      cause: error,
    });
  }
}

/** One connection for `work`. */
export async function administer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: "rapport-test" });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The same server and role, another database. */
export function onDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

export const roleOf = (url: string): string => pg.escapeIdentifier(decodeURIComponent(new URL(url).username));
