/** What the exercise runs on: a given database, and apps on it that it starts and stops. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { WorkspaceId } from "#lib/core/ids.ts";
import { freePort } from "#lib/db/embedded/launch.ts";
import { migrate } from "#lib/db/migrate.ts";
import { closePool } from "#lib/db/pool.ts";
import { migrateQueue } from "#lib/jobs/schema.ts";
import { runShutdown, setBoot } from "#lib/settings/boot.ts";
import { readEnv } from "#lib/settings/env.ts";
import { loadSecrets } from "#lib/settings/secrets.ts";
import { CalComStandIn } from "#lib/testing/cal-com.fixture.ts";
import { HubSpotStandIn } from "#lib/testing/hubspot.fixture.ts";
import { WebhookTarget } from "#lib/testing/webhook-target.fixture.ts";
import { startWorker, stopWorker } from "#lib/worker/worker.ts";

type App = { url: string; stop(): Promise<void> };

export type Ground = {
  /** Where statements without a pool go: directly to the database, also when PgBouncer is in front of it. */
  directUrl: string;
  isDistributed: boolean;
  /** The app whose address the others take for their own, as behind a balancer. */
  app: App;
  /** A CRM; like the calendar, it knows the token of the scenarios. */
  crm: HubSpotStandIn;
  /** Where triggers send to. */
  target: WebhookTarget;
  /** The machine that holds a workspace's rows. */
  machineOf(workspace: WorkspaceId): Promise<string>;
  /** Another app on the same database, with the same secrets and without pages. */
  startApp(): Promise<App>;
  close(): Promise<void>;
};

/** Outside systems that nothing of the exercise may ask. */
const ELSEWHERE = ["ATTIO_API_URL", "FATHOM_API_URL"];

const SECRET = Buffer.alloc(32, "scale").toString("base64");

const root = path.resolve(import.meta.dirname, "../..");

/** Opens the database that the environment names, in this process too. */
export async function openGround(): Promise<Ground> {
  const folder = mkdtempSync(path.join(tmpdir(), "rapport-scale-"));
  // Every app has its own data folder, as on separate machines, and the same secrets, with which earlier runs wrote too.
  const secrets = { SESSION_SECRET: SECRET, ENCRYPTION_KEY: `scale:${SECRET}` };
  const crm = await new HubSpotStandIn().start();
  crm.tokens.add("pat-test");
  const calendar = await new CalComStandIn().start();
  calendar.account("cal_test");
  const target = await new WebhookTarget().start();
  const port = await freePort();
  const here = {
    LOG_LEVEL: "silent",
    RATE_LIMIT_PER_MINUTE: "0",
    HOST: "127.0.0.1",
    APP_URL: `http://127.0.0.1:${port}`,
    ALLOW_PRIVATE_WEBHOOK_TARGETS: "true",
    HUBSPOT_API_URL: crm.url,
    CAL_COM_API_URL: calendar.url,
    ...Object.fromEntries(ELSEWHERE.map((name) => [name, "http://127.0.0.1:9"])),
  };
  const settingsIn = (data: string) => ({
    ...secrets,
    ...process.env,
    ...here,
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
  const start = async (on: number): Promise<App> => {
    const app = await startApp(settingsIn(`app-${apps.size}`) as NodeJS.ProcessEnv, on);
    apps.add(app);
    return app;
  };
  const app = await start(port);
  const isDistributed =
    (await ask<{ yes: boolean }>(directUrl, "SELECT to_regclass('pg_dist_partition') IS NOT NULL AS yes"))[0]?.yes ===
    true;

  return {
    directUrl,
    isDistributed,
    app,
    crm,
    target,
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
    startApp: async () => start(await freePort()),
    async close() {
      for (const app of apps) await app.stop();
      await stopWorker();
      await runShutdown();
      await closePool();
      await crm.stop();
      await calendar.stop();
      await target.stop();
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

async function startApp(env: NodeJS.ProcessEnv, port: number): Promise<App> {
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
