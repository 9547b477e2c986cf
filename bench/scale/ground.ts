/** What the exercise runs on: a given database, and apps on it that it starts and stops. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { runShutdown, setBoot } from "#lib/core/boot.ts";
import { readEnv } from "#lib/core/env.ts";
import type { WorkspaceId } from "#lib/core/ids.ts";
import { loadSecrets } from "#lib/core/secrets.ts";
import { freePort } from "#lib/db/embedded/launch.ts";
import { migrate } from "#lib/db/migrate.ts";
import { closePool } from "#lib/db/pool.ts";
import { migrateQueue } from "#lib/jobs/schema.ts";
import { startWorker, stopWorker } from "#lib/worker/worker.ts";

type App = { url: string; stop(): Promise<void> };

export type Ground = {
  /** Where statements without a pool go: directly to the database, also when PgBouncer is in front of it. */
  directUrl: string;
  isDistributed: boolean;
  /** The machine that holds a workspace's rows. */
  machineOf(workspace: WorkspaceId): Promise<string>;
  /** Another app on the same database, with the same secrets and without pages. */
  startApp(): Promise<App>;
  close(): Promise<void>;
};

const secret = (): string => randomBytes(32).toString("base64");

const root = path.resolve(import.meta.dirname, "../..");

/** Opens the database that the environment names, in this process too. */
export async function openGround(): Promise<Ground> {
  const folder = mkdtempSync(path.join(tmpdir(), "rapport-scale-"));
  // Every app has its own data folder, as on separate machines, and the same secrets.
  const secrets = { SESSION_SECRET: secret(), ENCRYPTION_KEY: `scale:${secret()}` };
  const quiet = { LOG_LEVEL: "silent", RATE_LIMIT_PER_MINUTE: "0", HOST: "127.0.0.1" };
  const settingsIn = (data: string) => ({
    ...secrets,
    ...process.env,
    ...quiet,
    RAPPORT_DATA_DIR: path.join(folder, data),
  });
  const env = readEnv(settingsIn("own") as NodeJS.ProcessEnv);
  const { DATABASE_URL: databaseUrl } = env;
  if (databaseUrl === undefined) throw new Error("Set DATABASE_URL to the database of the exercise; it fills it.");
  const directUrl = process.env.DATABASE_DIRECT_URL ?? databaseUrl;
  const pooledAs = directUrl === databaseUrl ? {} : { pooledAs: decodeURIComponent(new URL(databaseUrl).username) };
  await migrate({ url: directUrl, also: migrateQueue, root, ...pooledAs });
  setBoot({ env, databaseUrl, secrets: loadSecrets(env) });
  await startWorker();
  const apps = new Set<App>();
  const isDistributed =
    (await ask<{ yes: boolean }>(directUrl, "SELECT to_regclass('pg_dist_partition') IS NOT NULL AS yes"))[0]?.yes ===
    true;

  return {
    directUrl,
    isDistributed,
    async machineOf(workspace) {
      if (!isDistributed) return "the only machine";
      const [row] = await ask<{ machine: string }>(
        directUrl,
        `SELECT nodename || ':' || nodeport AS machine FROM citus_shards
         WHERE shardid = get_shard_id_for_distribution_column('entities', $1::uuid)`,
        [workspace],
      );
      return row?.machine ?? "nowhere";
    },
    async startApp() {
      const app = await startApp(settingsIn(`app-${apps.size}`) as NodeJS.ProcessEnv);
      apps.add(app);
      return app;
    },
    async close() {
      for (const app of apps) await app.stop();
      await stopWorker();
      await runShutdown();
      await closePool();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** One statement on a separate connection. */
async function ask<Row extends pg.QueryResultRow>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, application_name: "rapport-scale" });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

async function startApp(env: NodeJS.ProcessEnv): Promise<App> {
  const port = await freePort();
  const child: ChildProcess = spawn(
    process.execPath,
    [path.join(root, "bin/pageless-start.fixture.ts"), String(port)],
    {
      cwd: root,
      env: { ...env, NODE_ENV: "test" },
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  const url = `http://127.0.0.1:${port}`;
  for (let attempt = 0; ; attempt++) {
    if (child.exitCode !== null || attempt > 300) throw new Error("an app did not start");
    const ready = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) break;
    await sleep(200);
  }
  return {
    url,
    async stop() {
      if (child.exitCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}
