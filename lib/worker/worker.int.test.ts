/**
 * Jobs are queued with the transaction, belong to a workspace, and are done even if the process that runs them ends.
 */
import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { encrypt } from "#lib/db/encrypted.ts";
import { migrate } from "#lib/db/migrate.ts";
import { connectionOptions } from "#lib/db/pool.ts";
import { withoutWorkspace, withWorkspace } from "#lib/db/transaction.ts";
import { purposeOfCredentials, purposeOfSigningSecret } from "#lib/domain/encrypted-columns.ts";
import { registering } from "#lib/domain/integrations/connections/jobs.ts";
import type { Job } from "#lib/domain/integrations/jobs/contract.ts";
import { listJobs, retryJob } from "#lib/domain/integrations/jobs/service.ts";
import { enqueue, enqueueAtLatest, jobKind } from "#lib/jobs/queue.ts";
import { startLive, stopLive, subscribe } from "#lib/live/announce.ts";
import { getBoot, setBoot } from "#lib/settings/boot.ts";
import { CalComStandIn } from "#lib/testing/cal-com.fixture.ts";
import { bootWith, database, inspect } from "#lib/testing/database.ts";
import { hurryJobs } from "#lib/testing/jobs.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { QueuePool } from "./queue-pool.ts";
import { startWorker, stopWorker, workerState } from "./worker.ts";

const standIn = new CalComStandIn();
/** The encryption key that the test and the processes it starts share. */
const ENCRYPTION_KEY = `shared:${Buffer.alloc(32, "shared").toString("base64")}`;
const settings = () => ({ CAL_COM_API_URL: standIn.url });

beforeAll(async () => {
  await standIn.start();
  bootWith(settings());
});
afterAll(() => standIn.stop());
afterEach(() => standIn.calm());

test("a connection that the runner gives back twice is given back once", async () => {
  const pool = new QueuePool({ connectionString: database.url, max: 1 });
  await new Promise<void>((resolve, reject) => {
    pool.connect((error, _client, done) => {
      if (error) return reject(error);
      done();
      done();
      resolve();
    });
  });
  expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  expect(pool.totalCount).toBe(1);
  await pool.end();
});

async function withConnection() {
  const workspace = await createTestWorkspace();
  const connectionId = newId();
  const apiKey = standIn.account();
  const sealed = (purpose: string, secret: string) => encrypt(getBoot().secrets.encryptionKeys, purpose, secret);
  await withWorkspace(workspace.id, (db) =>
    db.prisma.connection.create({
      data: {
        workspaceId: workspace.id,
        id: connectionId,
        provider: "cal_com",
        credentials: sealed(purposeOfCredentials(connectionId), JSON.stringify({ api_key: apiKey })),
        signingSecret: sealed(purposeOfSigningSecret(connectionId), "secret"),
        isVerified: true,
        createdBy: "test",
      },
    }),
  );
  const register = (at?: Date) =>
    withWorkspace(workspace.id, (db) => enqueue(db, registering, { connection_id: connectionId }, at));
  const jobs = async () => {
    const { jobs } = (await listJobs.execute(workspace.caller, {})) as { jobs: Job[] };
    return jobs.filter(({ kind }) => kind !== "audit:seal"); // a retry is noted in the audit log
  };
  const webhooks = () => standIn.webhooks.filter(({ subscriberUrl }) => subscriberUrl.endsWith(workspace.id));
  return { ...workspace, connectionId, register, jobs, webhooks };
}

const locked = () =>
  inspect<{ locked_by: string }>("SELECT locked_by FROM graphile_worker._private_jobs WHERE locked_at IS NOT NULL");

describe("a job", () => {
  test("exists only if the transaction that queued it commits", async () => {
    const { id, connectionId, jobs, register } = await withConnection();
    const failing = withWorkspace(id, async (db) => {
      await enqueue(db, registering, { connection_id: connectionId });
      throw new Error("changed its mind");
    });
    await expect(failing).rejects.toThrow("changed its mind");
    expect(await jobs()).toEqual([]);
    await register();
    expect(await jobs()).toMatchObject([{ kind: "connections:register", state: "waiting", attempts: 0 }]);
  });

  test("that already waits is not queued twice", async () => {
    const { jobs, register } = await withConnection();
    const tomorrow = new Date(Date.now() + 86_400_000);
    await register(tomorrow);
    expect(await jobs()).toMatchObject([{ state: "scheduled", run_at: tomorrow.toISOString() }]);
    await Promise.all([register(), register(), register()]);
    expect(await jobs()).toMatchObject([{ state: "waiting" }]);
  });

  test("that is put off keeps an earlier time that was asked for meanwhile", async () => {
    const { id: workspaceId } = await createTestWorkspace();
    const waiting = jobKind("tests:wait", { label: "Wait", ids: ["thing_id"], once: true });
    const ids = { thing_id: newId() };
    const due = async () => {
      const key = `%${ids.thing_id}`;
      return inspect<{ seconds: number }>(
        "SELECT round(extract(epoch FROM run_at - now()))::int AS seconds FROM graphile_worker._private_jobs WHERE key LIKE $1",
        [key],
      );
    };
    const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000);
    const putOff = (seconds: number) =>
      withWorkspace(workspaceId, (db) => enqueueAtLatest(db, waiting, ids, inSeconds(seconds)));
    await putOff(300);
    await putOff(100);
    expect((await due())[0]?.seconds).toBeCloseTo(100, -1);
    await putOff(300);
    expect((await due())[0]?.seconds).toBeCloseTo(100, -1);
    expect(await due()).toHaveLength(1);
  });

  test("that is asked for again keeps the more urgent place, until it runs", async () => {
    const { id: workspaceId } = await createTestWorkspace();
    const waiting = jobKind("tests:urgent", { label: "Wait", ids: ["thing_id"], once: true });
    const ids = { thing_id: newId() };
    const priorities = async () =>
      (
        await inspect<{ priority: number }>(
          "SELECT priority FROM graphile_worker._private_jobs WHERE payload ->> 'thing_id' = $1 ORDER BY id",
          [ids.thing_id],
        )
      ).map(({ priority }) => priority);
    const ask = (priority: number) => withWorkspace(workspaceId, (db) => enqueue(db, { ...waiting, priority }, ids));
    await ask(0);
    await ask(-1);
    expect(await priorities()).toEqual([-1]);
    await ask(0);
    expect(await priorities()).toEqual([-1]);
    await inspect("UPDATE graphile_worker._private_jobs SET locked_at = now() WHERE payload ->> 'thing_id' = $1", [
      ids.thing_id,
    ]);
    await ask(0);
    expect(await priorities()).toEqual([-1, 0]);
    await inspect("DELETE FROM graphile_worker._private_jobs WHERE payload ->> 'thing_id' = $1", [ids.thing_id]);
  });

  test("belongs to the workspace of its transaction, and only that sees and retries it", async () => {
    const [mine, theirs] = [await withConnection(), await withConnection()];
    await mine.register(new Date(Date.now() + 86_400_000));
    const [job] = await mine.jobs();
    expect(await theirs.jobs()).toEqual([]);
    await expect(retryJob.execute(theirs.caller, { job: job?.id })).rejects.toMatchObject({ code: "job_not_found" });
    await expect(retryJob.execute(mine.caller, { job: "999999999" })).rejects.toMatchObject({ code: "job_not_found" });
    await retryJob.execute(mine.caller, { job: job?.id });
    expect(await mine.jobs()).toMatchObject([{ id: job?.id, state: "waiting" }]);
    await expect(
      withoutWorkspace((db) => enqueue(db, registering, { connection_id: mine.connectionId })),
    ).rejects.toThrow("a job belongs to a workspace");
  });

  test("is queued by a superuser's login too, whose role cannot reach the queue itself", async () => {
    const { id, jobs } = await withConnection();
    await migrate({ url: database.adminUrl });
    const client = new pg.Client({
      connectionString: database.adminUrl,
      options: connectionOptions({ bypasses: true, becomes: true }),
    });
    await client.connect();
    await client.query("BEGIN");
    await client.query(`SET LOCAL rapport.workspace_id = '${id}'`);
    const text = "SELECT rapport_enqueue('connections:register', $1, NULL, now() + interval '1 day', 3, NULL)";
    await client.query(text, [JSON.stringify({ connection_id: newId(), workspace_id: newId() })]);
    await client.query("COMMIT");
    await expect(client.query("SELECT * FROM graphile_worker.jobs")).rejects.toThrow("permission denied");
    await expect(client.query("SELECT graphile_worker.add_job('x')")).rejects.toThrow("permission denied");
    await client.end();
    expect(await jobs()).toMatchObject([{ kind: "connections:register", max_attempts: 3 }]);
  });
});

describe("the worker in the app", () => {
  beforeAll(() => startWorker());
  afterAll(() => stopWorker());

  test("runs a job, and forgets it when it is done", async () => {
    const { jobs, register, webhooks } = await withConnection();
    await register();
    await expect.poll(webhooks, { interval: 5 }).toHaveLength(1);
    await expect.poll(jobs).toEqual([]);
  });

  test("tries a failed job again, shows the reason, and runs it at once on request", async () => {
    const { caller, jobs, register, webhooks } = await withConnection();
    standIn.trouble({ path: "/webhooks", status: 503, body: { error: { message: "Under maintenance" } } });
    await register();
    await expect.poll(jobs).toMatchObject([
      {
        state: "retrying",
        attempts: 1,
        max_attempts: 12,
        last_error: "Cal.com has a fault of its own: Under maintenance.",
      },
    ]);
    const [job] = await jobs();
    await retryJob.execute(caller, { job: job?.id });
    await expect.poll(webhooks).toHaveLength(1);
    await expect.poll(jobs).toEqual([]);
  });

  test("has nothing to do for a connection that is gone", async () => {
    const { id, jobs } = await withConnection();
    const calls = standIn.calls.length;
    await withWorkspace(id, (db) => enqueue(db, registering, { connection_id: newId() }));
    await expect.poll(jobs).toEqual([]);
    expect(standIn.calls).toHaveLength(calls);
  });

  test("does not show our own errors to a workspace", async () => {
    const { id, connectionId, jobs, register } = await withConnection();
    await inspect("UPDATE connections SET credentials = 'broken' WHERE workspace_id = $1 AND id = $2", [
      id,
      connectionId,
    ]);
    await register();
    await expect.poll(jobs).toMatchObject([
      {
        state: "retrying",
        last_error: expect.stringMatching(/^Something went wrong on our side \(job \d+ in the server's log\)\.$/),
      },
    ]);
  });

  test("drops what a deleted workspace had queued", async () => {
    const { id, register } = await withConnection();
    await register(new Date(Date.now() + 3_600_000));
    await inspect(
      "SET session_replication_role = replica; DELETE FROM workspaces WHERE id = $1".replace("$1", `'${id}'`),
    );
    const left = () =>
      inspect("SELECT 1 FROM graphile_worker._private_jobs WHERE payload ->> 'workspace_id' = $1", [id]);
    expect(await left()).toHaveLength(1);
    await hurryJobs(id);
    await expect.poll(left).toEqual([]);
  });

  test("starts again by itself when it lost the database", async () => {
    const { register, webhooks } = await withConnection();
    const ended = await inspect<{ pid: number }>(
      "SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    const pids = ended.map(({ pid }) => pid);
    await expect.poll(() => inspect("SELECT FROM pg_stat_activity WHERE pid = ANY($1)", [pids])).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 100)); // until this process has heard of it
    await register();
    await expect.poll(webhooks).toHaveLength(1);
    expect(workerState()).toBe("running");
  });

  test("lets a job finish when it stops, and leaves none locked", async () => {
    const { jobs, register, webhooks } = await withConnection();
    standIn.trouble({ path: "/webhooks", status: 500, times: 0 });
    await register();
    await stopWorker();
    expect(await locked()).toEqual([]);
    expect(workerState()).toBe("stopped");
    const left = (await jobs()).length;
    expect(left === 0 ? webhooks().length : left).toBe(1);
    await startWorker();
    await expect.poll(webhooks).toHaveLength(1);
  });
});

describe("npm run worker", () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
  });

  /** Starts a worker process on this database and waits until it runs jobs. */
  async function spawnWorker(): Promise<ChildProcess & { output: string }> {
    const { NODE_OPTIONS: _, ...env } = process.env;
    const child = spawn(process.execPath, [path.resolve("bin/worker.mjs")], {
      env: {
        ...env,
        ...settings(),
        DATABASE_URL: database.url,
        RAPPORT_DATA_DIR: database.dataDir,
        ENCRYPTION_KEY,
        SESSION_SECRET: "s".repeat(40),
        LOG_LEVEL: "info",
      },
      stdio: ["ignore", "pipe", "pipe"],
    }) as ChildProcess & { output: string };
    child.output = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk: Buffer) => {
        child.output += chunk.toString();
      });
    children.push(child);
    await expect.poll(() => child.output, { timeout: 60_000 }).toContain("Rapport runs jobs");
    return child;
  }

  test("takes over the work of a killed one in seconds, and stops cleanly", async () => {
    bootWith({ ...settings(), ENCRYPTION_KEY });
    const { id, register, webhooks, jobs } = await withSharedKey();
    const heard: unknown[] = [];
    await startLive();
    const unsubscribe = subscribe(id, (announcement) => heard.push(announcement?.topic));
    const first = await spawnWorker();
    standIn.trouble({ path: "/webhooks", hangs: true });
    await register();
    await expect.poll(() => standIn.calls, { timeout: 60_000 }).toContain("POST /webhooks");
    expect(await jobs()).toMatchObject([{ state: "running" }]);
    first.kill("SIGKILL");
    await new Promise((resolve) => first.once("exit", resolve));
    expect(await jobs()).toMatchObject([{ state: "running" }]);

    const second = await spawnWorker();
    await expect.poll(webhooks, { timeout: 60_000 }).toHaveLength(1);
    await expect.poll(jobs).toEqual([]);
    await expect.poll(() => heard).toContain("integrations"); // a listener in another instance
    unsubscribe();
    await stopLive();
    second.kill("SIGTERM");
    const code = await new Promise((resolve) => second.once("exit", resolve));
    expect([code, second.output.includes("did not close")]).toEqual([0, false]);
    expect(await locked()).toEqual([]);
    bootWith(settings());
  });

  /** A connection whose credentials the worker process can open. */
  async function withSharedKey() {
    const boot = getBoot();
    setBoot({
      ...boot,
      secrets: { ...boot.secrets, encryptionKeys: [{ id: "shared", key: Buffer.alloc(32, "shared") }] },
    });
    return withConnection();
  }
});
