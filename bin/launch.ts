import { existsSync } from "node:fs";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { flushCompileCache } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { prepareDataDir } from "#lib/db/embedded/data-dir.ts";
import { lockInstance } from "#lib/db/embedded/instance.ts";
import { type OpenDatabase, openDatabase } from "#lib/db/embedded/open.ts";
import { PageServer } from "#lib/http/page-server.ts";
import { runShutdown, setBoot } from "#lib/settings/boot.ts";
import { type Env, readEnv } from "#lib/settings/env.ts";
import { isOperatorError, OperatorError } from "#lib/settings/operator-error.ts";
import { loadSecrets } from "#lib/settings/secrets.ts";
import { describe, Lifetime } from "./lifetime.ts";
import { addressOf, listen, requireFreePort } from "./listening.ts";
import { backedUpBefore, migrateDatabase, pooledBefore } from "./migrate.ts";
import { ensureGenerated } from "./prepare.ts";
import { homeFolder, projectRoot } from "./project.ts";

export interface Front {
  server: Server;
  /** Stops accepting and resolves once the running requests have ended. */
  drain(): Promise<void>;
}

export interface PagesOptions {
  env: Env;
  dev: boolean;
  log: (line: string) => void;
  signal: AbortSignal;
  /** Resolves when the API answers, or everything ends: slow work waits for it. */
  answering: Promise<void>;
}

/** The parts that a start consists of; a test passes its own. */
export interface Parts {
  /** What the app's code needs before it can be loaded. */
  prepare(options: { log: (line: string) => void; signal: AbortSignal }): Promise<void>;
  migrate(options: {
    url: string;
    pooledUrl?: string;
    log: (line: string) => void;
    before?: () => Promise<void>;
  }): Promise<{ applied: string[] }>;
  /** Loads the API's code while the database starts; the returned function starts it once there is a database. */
  load(options: { env: Env }): Promise<(pages: PageServer) => Promise<Front>>;
  /** Makes `pages` answer, however long it takes; returns a function that closes what it opened. */
  openPages(pages: PageServer, options: PagesOptions): Promise<() => Promise<void>>;
}

export interface LaunchOptions {
  dev?: boolean;
  port?: string;
  parts?: Parts;
}

const log = (line: string) => process.stdout.write(`${line}\n`);

/** Starts everything in order and stops it in reverse. Returns once the API answers; the pages may follow. */
export async function launch({ dev = false, port, parts = rapport }: LaunchOptions = {}): Promise<void> {
  const lifetime = new Lifetime();
  try {
    await start(lifetime, { dev, port, parts });
  } catch (error) {
    await lifetime.fail(error);
  }
}

async function start(
  lifetime: Lifetime,
  { dev, port, parts }: Required<Pick<LaunchOptions, "dev" | "parts">> & { port?: string },
) {
  process.chdir(homeFolder);
  if (existsSync(".env")) process.loadEnvFile(".env");
  const env = readEnv(port === undefined ? process.env : { ...process.env, PORT: port });
  Object.assign(process.env, { NODE_ENV: dev ? "development" : "production", NEXT_TELEMETRY_DISABLED: "1" });

  prepareDataDir(env.RAPPORT_DATA_DIR);
  await lifetime.open("the data folder's lock", lockInstance(env.RAPPORT_DATA_DIR), (lock) => lock.release());
  await requireFreePort(env.PORT, env.HOST);
  const secrets = loadSecrets(env);

  const [databaseUrl, boot] = await Promise.all([
    openAndMigrate(lifetime, env, parts),
    parts.prepare({ log, signal: lifetime.signal }).then(() => parts.load({ env })),
  ]);
  setBoot({ env, databaseUrl, secrets });
  if (lifetime.ending) return;

  await lifetime.open("the app's connections", Promise.resolve(), closeConnections);
  const pages = new PageServer();
  const answering = openPages(lifetime, pages, parts, { env, dev });
  const front = await boot(pages);
  const listening = listen(front.server, env.PORT, env.HOST);
  const actualPort = await lifetime.open("the server", listening, async () => {
    await within(lifetime.failed ? 1 : env.SHUTDOWN_SECONDS, front.drain());
    front.server.closeAllConnections();
  });
  announce(env, actualPort);
  answering();
  // Also for the start after a crash: a process that is killed writes nothing.
  flushCompileCache();
}

/**
 * Opens the pages in the background: the API also runs without them, so a failure is printed and ends nothing. Call the
 * returned function once the API answers.
 */
function openPages(lifetime: Lifetime, pages: PageServer, parts: Parts, { env, dev }: { env: Env; dev: boolean }) {
  if (env.PAGES === "off") {
    pages.serve(answerWithoutPages);
    return () => undefined;
  }
  const { promise: answering, resolve } = Promise.withResolvers<void>();
  const { signal } = lifetime;
  signal.addEventListener("abort", () => resolve());
  const opening = parts.openPages(pages, { env, dev, log, signal, answering });
  lifetime
    .open("the pages", opening, (close) => within(5, close()))
    .then(
      () => lifetime.ending || log(`the pages are ready after ${seconds(process.uptime() * 1000)}`),
      (error: unknown) => {
        if (lifetime.ending) return;
        pages.fail();
        process.stderr.write(`${describe(error)}\nThere are no pages until the next start; the API answers.\n`);
      },
    );
  return resolve;
}

async function answerWithoutPages(_request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.writeHead(404, { "content-type": "text/plain; charset=utf-8" });
  response.end("This server has no pages (PAGES=off). It answers the API, MCP and webhooks.\n");
}

async function openAndMigrate(lifetime: Lifetime, env: Env, parts: Parts): Promise<string> {
  const began = performance.now();
  if (env.BACKUP_TO !== undefined && env.DATABASE_URL !== undefined)
    throw new OperatorError(
      "BACKUP_TO is for the embedded database, and DATABASE_URL names your own: unset BACKUP_TO, and back up with the tools of your Postgres.",
    );
  const opening = openDatabase({ env, purpose: "app", log, onLost: (reason) => void lifetime.fail(reason) });
  const database = await lifetime.open("the database", opening, (opened) => opened.close());
  try {
    const options = { url: database.directUrl, log, ...pooledBefore(database), ...backedUpBefore(database, env, log) };
    await parts.migrate(options);
  } catch (error) {
    if (isOperatorError(error)) throw error;
    throw new OperatorError(`The database cannot be migrated: ${(error as Error).message}`, { cause: error });
  }
  await openArchive(lifetime, env, database);
  log(`the database (${database.source}) is ready after ${seconds(performance.now() - began)}`);
  return database.url;
}

/** Archives the log of the embedded database where `BACKUP_TO` says. */
async function openArchive(lifetime: Lifetime, env: Env, { superuserUrl }: OpenDatabase): Promise<void> {
  if (superuserUrl === undefined) return;
  const { endArchive, keepArchive } = await import("#lib/db/backup/archive.ts");
  if (env.BACKUP_TO === undefined) await endArchive(superuserUrl);
  else {
    const { openStorage } = await import("#lib/db/backup/open-storage.ts");
    const end = keepArchive(superuserUrl, openStorage(env.BACKUP_TO, env), log);
    await lifetime.open("the archive of the database's log", Promise.resolve(), end);
  }
}

async function closeConnections(): Promise<void> {
  const failures = await runShutdown();
  for (const failure of failures) process.stderr.write(`A part of the app did not close: ${String(failure)}\n`);
  const { closePool } = await import("#lib/db/pool.ts");
  await within(5, closePool());
}

/** Waits for the work, but no longer than `limit` seconds. */
const within = (limit: number, work: Promise<void>): Promise<void> =>
  Promise.race([work, sleep(limit * 1000, undefined, { ref: false })]);

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;

function announce(env: Env, port: number): void {
  const url = env.APP_URL ?? addressOf(env.HOST, port);
  log(`\nRapport answers at ${url} after ${seconds(process.uptime() * 1000)}`);
  log(env.PAGES === "off" ? "It has no pages (PAGES=off)." : `Open ${url} and create your account (or sign in).`);
}

/** The real parts, each loaded when it is needed. */
const rapport: Parts = {
  prepare: (options) => ensureGenerated(options),
  migrate: migrateDatabase,
  async load({ env }) {
    const { createFront } = await import("#lib/http/front.ts");
    return (pages) => createFront({ env, pages, root: projectRoot });
  },
  async openPages(pages, { env, dev, ...options }) {
    const { openDevPages, openPages: openBuiltPages } = await import("./pages.ts");
    return dev ? openDevPages(pages, env) : openBuiltPages(pages, env, options);
  },
};
