import { existsSync } from "node:fs";
import type { Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { runShutdown, setBoot } from "#lib/core/boot.ts";
import { type Env, readEnv } from "#lib/core/env.ts";
import { isOperatorError, OperatorError } from "#lib/core/operator-error.ts";
import { loadSecrets } from "#lib/core/secrets.ts";
import { prepareDataDir } from "#lib/db/embedded/data-dir.ts";
import { lockInstance } from "#lib/db/embedded/instance.ts";
import { openDatabase } from "#lib/db/embedded/open.ts";
import { Lifetime } from "./lifetime.ts";
import { addressOf, listen, requireFreePort } from "./listening.ts";
import { migrateDatabase, pooledBefore } from "./migrate.ts";
import { ensureBuilt, ensureGenerated } from "./prepare.ts";
import { inProject, projectRoot } from "./project.ts";

export interface Front {
  server: Server;
  /** Stops accepting and answers once the running requests have ended. */
  drain(): Promise<void>;
}

/** The parts a start puts together; a test brings its own. */
export interface Parts {
  prepare(options: { log: (line: string) => void; signal: AbortSignal; dev: boolean }): Promise<void>;
  migrate(options: { url: string; pooledUrl?: string; log: (line: string) => void }): Promise<{ applied: string[] }>;
  /** Loads the app's code while the database starts; the answer puts it to work once there is a database. */
  load(options: { env: Env; dev: boolean }): Promise<() => Promise<{ front: Front; close(): Promise<void> }>>;
}

export interface LaunchOptions {
  dev?: boolean;
  port?: string;
  parts?: Parts;
}

const log = (line: string) => process.stdout.write(`${line}\n`);

/** Starts everything in order and stops it in reverse. Returns once the server answers. */
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
  process.chdir(projectRoot);
  if (existsSync(inProject(".env"))) process.loadEnvFile(inProject(".env"));
  const env = readEnv(port === undefined ? process.env : { ...process.env, PORT: port });
  Object.assign(process.env, { NODE_ENV: dev ? "development" : "production", NEXT_TELEMETRY_DISABLED: "1" });

  prepareDataDir(env.RAPPORT_DATA_DIR);
  await lifetime.open("the data folder's lock", lockInstance(env.RAPPORT_DATA_DIR), (lock) => lock.release());
  await requireFreePort(env.PORT, env.HOST);
  const secrets = loadSecrets(env);

  const [databaseUrl, boot] = await Promise.all([
    openAndMigrate(lifetime, env, parts),
    parts.prepare({ log, signal: lifetime.signal, dev }).then(() => parts.load({ env, dev })),
  ]);
  setBoot({ env, databaseUrl, secrets });
  if (lifetime.ending) return;

  await lifetime.open("the app's connections", Promise.resolve(), closeConnections);
  const { front } = await lifetime.open("the app", boot(), (app) => within(5, app.close()));
  const listening = listen(front.server, env.PORT, env.HOST);
  const actualPort = await lifetime.open("the server", listening, async () => {
    await within(lifetime.failed ? 1 : env.SHUTDOWN_SECONDS, front.drain());
    front.server.closeAllConnections();
  });
  announce(env, actualPort);
}

async function openAndMigrate(lifetime: Lifetime, env: Env, parts: Parts): Promise<string> {
  const began = performance.now();
  const opening = openDatabase({ env, purpose: "app", log, onLost: (reason) => void lifetime.fail(reason) });
  const database = await lifetime.open("the database", opening, (opened) => opened.close());
  try {
    await parts.migrate({ url: database.directUrl, log, ...pooledBefore(database) });
  } catch (error) {
    if (isOperatorError(error)) throw error;
    throw new OperatorError(`The database cannot be migrated: ${(error as Error).message}`, { cause: error });
  }
  log(`the database (${database.source}) is ready after ${seconds(performance.now() - began)}`);
  return database.url;
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
  log(`Open ${url} and create your account (or sign in).`);
}

/** The real parts, each loaded when it is needed. */
const rapport: Parts = {
  async prepare({ dev, ...options }) {
    await ensureGenerated(options);
    if (!dev) await ensureBuilt(options);
  },
  migrate: migrateDatabase,
  async load({ env, dev }) {
    const [{ default: createNext }, { createFront }] = await Promise.all([
      import("next"),
      import("#lib/http/front.ts"),
    ]);
    return async () => {
      const next = createNext({ dev, dir: projectRoot, hostname: env.HOST, port: env.PORT });
      await next.prepare();
      return { front: await createFront({ env, next }), close: () => next.close() };
    };
  },
};
