/** The hourly maintenance reaches every workspace, one at a time, and runs the slices' parts in each. */
import { createHash } from "node:crypto";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { jobAuthority } from "#lib/auth/jobs.ts";
import type { WorkspaceId } from "#lib/core/ids.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { capture } from "#lib/domain/crm/activities/service.ts";
import { createBulkAction, getBulkAction } from "#lib/domain/crm/bulk-actions/service.ts";
import { upsertPerson } from "#lib/domain/crm/people/service.ts";
import type { Job } from "#lib/domain/integrations/jobs/contract.ts";
import { listJobs, retryJob } from "#lib/domain/integrations/jobs/service.ts";
import type { JobHandler, Maintenance } from "#lib/jobs/handler.ts";
import { enqueue, jobKind } from "#lib/jobs/queue.ts";
import { bootWith, database, inspect } from "#lib/testing/database.ts";
import { createTestWorkspace, type TestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { givenUpSchedule } from "./given-up.ts";
import { maintain, maintaining } from "./maintenance.ts";
import { handlers } from "./registry.ts";
import { WALK, walkOn } from "./walk.ts";
import { startWorker, stopWorker } from "./worker.ts";

type QueuedJob = { task: string; priority: number; payload: Record<string, string> };

const queued = () =>
  inspect<QueuedJob>(
    `SELECT t.identifier AS task, j.priority, j.payload FROM graphile_worker._private_jobs j
     JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE j.is_available ORDER BY j.id`,
  );
const left = async () =>
  (await queued()).filter(({ task }) => task === maintaining.name).map(({ payload }) => payload.workspace_id);
/** Where walks will continue. */
const places = async () => (await queued()).filter(({ task }) => task === WALK).map(({ payload }) => payload);
/** Queues the walk as cron does. */
const tick = () => inspect("SELECT graphile_worker.add_job($1, json_build_object('walk', 'maintenance'))", [WALK]);

const some = (count: number) =>
  Array.from({ length: count }).reduce<Promise<TestWorkspace[]>>(
    async (all) => [...(await all), await createTestWorkspace()],
    Promise.resolve([]),
  );

beforeEach(async () => {
  await inspect("DELETE FROM graphile_worker._private_jobs");
  await inspect("SET LOCAL session_replication_role = replica; DELETE FROM workspaces");
});
afterEach(async () => {
  await stopWorker();
  bootWith();
});

/** A part with so many steps in each workspace, which records where it did one. */
const part = (steps: number, done: string[]): Maintenance => ({
  name: "part",
  async step(id) {
    done.push(id);
    return done.filter((one) => one === id).length < steps;
  },
});
const failing: Maintenance = { name: "failing", step: () => Promise.reject(new Error("broken")) };

describe("a walk", () => {
  const running = new AbortController().signal;
  const walkOf = (...parts: Maintenance[]) => ({ name: "test", parts });

  test("visits every workspace once, in turns, and goes on where it was", async () => {
    const ids = (await some(4)).map(({ id }) => id);
    const done: string[] = [];
    for (const [turn, id] of ids.entries()) {
      const [place] = await places();
      expect(place).toEqual(turn === 0 ? undefined : { walk: "test", after: ids[turn - 1] });
      await walkOn(walkOf(part(1, done)), { after: ids[turn - 1] as WorkspaceId }, "0", running, { turnMs: -1 });
      expect(done.at(-1)).toBe(id);
    }
    expect(done).toEqual(ids);
    await walkOn(walkOf(part(1, done)), { after: ids[3] as WorkspaceId }, "0", running, { turnMs: -1 });
    expect(done).toEqual(ids);
    expect((await queued()).every(({ priority }) => priority > 0)).toBe(true);
    await walkOn(walkOf(part(1, done)), { after: ids[1] as WorkspaceId }, "0", running);
    expect(done).toEqual([...ids, ids[2], ids[3]]);
  });

  test("that cron begins while one is running ends at once", async () => {
    await some(3);
    const done: string[] = [];
    await walkOn(walkOf(part(1, done)), {}, "0", running, { turnMs: -1 });
    await walkOn(walkOf(part(1, done)), {}, "0", running);
    expect(done).toHaveLength(1);
    await inspect("UPDATE graphile_worker._private_jobs SET attempts = max_attempts"); // given up
    await walkOn(walkOf(part(1, done)), {}, "0", running);
    expect(done).toHaveLength(4);
  });

  test("leaves failures and further steps to a job of the workspace, and goes on", async () => {
    const ids = (await some(3)).map(({ id }) => id);
    const done: string[] = [];
    await walkOn(walkOf(failing, part(1, done)), {}, "0", running);
    expect(done).toEqual(ids);
    expect((await left()).toSorted()).toEqual(ids);
    await walkOn(walkOf(part(9, done)), {}, "0", running);
    expect((await left()).toSorted()).toEqual(ids); // once
  });

  test("stops with the process, and the next one continues it", async () => {
    const ids = (await some(3)).map(({ id }) => id);
    const done: string[] = [];
    await walkOn(walkOf(part(1, done)), {}, "0", AbortSignal.abort());
    expect(done).toEqual([ids[0]]);
    expect(await places()).toEqual([{ walk: "test", after: ids[0] }]);
  });
});

describe("the rest of a walk", () => {
  const run = async (workspace: TestWorkspace, parts: Maintenance[], { turnMs = 5_000, stopped = false } = {}) => {
    const caller = await jobAuthority(workspace.id, "1");
    if (!caller) throw new Error("no workspace");
    const signal = stopped ? AbortSignal.abort() : new AbortController().signal;
    await maintain(parts, turnMs).run({ caller, attempt: 1, last: false, signal }, {});
  };

  test("is done to its end", async () => {
    const [workspace] = (await some(1)) as [TestWorkspace];
    const done: string[] = [];
    await run(workspace, [part(3, done)]);
    expect(done).toHaveLength(3);
    expect(await queued()).toEqual([]);
  });

  test.each([
    ["its turn is over", { turnMs: -1 }],
    ["the process stops", { stopped: true }],
  ])("is queued again when %s", async (_, how) => {
    const [workspace] = (await some(1)) as [TestWorkspace];
    const done: string[] = [];
    await run(workspace, [part(3, done)], how);
    expect(done).toHaveLength(1);
    expect(await left()).toEqual([workspace.id]);
  });

  test("is tried again when a part fails, which does not stop the others", async () => {
    const [workspace] = (await some(1)) as [TestWorkspace];
    const done: string[] = [];
    await expect(run(workspace, [failing, part(1, done)])).rejects.toThrow("broken");
    expect(done).toHaveLength(1);
  });
});

describe("the worker", () => {
  const once = (key: string) => ({ key, fingerprint: createHash("sha256").update(key).digest() });
  const keys = () => inspect<{ key: string }>("SELECT key FROM idempotency ORDER BY key");

  test("removes answers kept for an Idempotency-Key after 24 hours, in every workspace, each hour", async () => {
    const workspaces = await some(12);
    const [first, last] = [workspaces.at(0), workspaces.at(-1)] as [TestWorkspace, TestWorkspace];
    for (const { caller } of [first, last])
      for (const key of ["old", "young"])
        await capture.reply(caller, { email: "anna@acme.com", type: "call" }, once(key));
    await inspect("UPDATE idempotency SET created_at = now() - interval '24 hours' WHERE key = 'old'");
    await inspect("UPDATE idempotency SET created_at = now() - interval '23 hours 55 minutes' WHERE key = 'young'");
    await inspect(
      "INSERT INTO workspaces (id, name) SELECT overlay(gen_random_uuid()::text placing '0' from 1)::uuid, 'filler' FROM generate_series(1, 300)",
    );
    await inspect(
      "INSERT INTO outbox (workspace_id, type, entity_id, data, at) VALUES ($1, 'contact.created', $1, '{}', now() - interval '4 days')",
      [last.id],
    );
    await tick();
    await startWorker();
    await expect.poll(keys, { timeout: 60_000 }).toEqual([{ key: "young" }, { key: "young" }]);
    await expect.poll(queued).toEqual([]);
    expect(await inspect("SELECT DISTINCT type FROM outbox")).toEqual([]);
    expect(await inspect("SELECT identifier FROM graphile_worker._private_known_crontabs ORDER BY 1")).toEqual([
      { identifier: "device-logins:sweep" },
      { identifier: "jobs:given-up" },
      { identifier: "jobs:tidy" },
      { identifier: "maintenance" },
      { identifier: "oauth:tidy" },
    ]);
  });
});

describe("a job whose process was killed in its last attempt", () => {
  const running = new AbortController().signal;
  const give = () => givenUpSchedule(handlers).run(running);
  const kill = () =>
    inspect(
      "UPDATE graphile_worker._private_jobs SET attempts = max_attempts WHERE payload ->> 'bulk_action_id' <> ''",
    );
  const job = async ({ caller }: TestWorkspace) =>
    ((await listJobs.execute(caller, {})) as { jobs: Job[] }).jobs.find(({ kind }) => kind.startsWith("bulk-actions"));

  test("is given up: the record of the work says so, and what it says stays", async () => {
    const [workspace, other] = (await some(2)) as [TestWorkspace, TestWorkspace];
    const action = { what: "people", filters: {}, action: "set_stage", pipeline_stage: "client" };
    const begin = async ({ caller }: TestWorkspace) => {
      await upsertPerson.execute(caller, { email: "anna@acme.com" });
      return (await createBulkAction.execute(caller, action)).bulk_action.id;
    };
    const seen = async ({ caller }: TestWorkspace, id: string) =>
      (await getBulkAction.execute(caller, { id })).bulk_action;
    const id = await begin(workspace);
    await kill();
    const waits = await begin(other);
    await give();
    const givenUp = await seen(workspace, id);
    expect(givenUp).toMatchObject({ state: "failed", message: expect.stringContaining("can be undone") });
    expect((await seen(other, waits)).state).toBe("queued");
    expect(await job(workspace)).toMatchObject({ state: "failed", last_error: expect.stringContaining("ended") });
    await give();
    expect(await seen(workspace, id)).toEqual(givenUp);
  });

  test("is told once, again after a failure, and again once it was retried", async () => {
    const [workspace] = (await some(1)) as [TestWorkspace];
    const calls: string[] = [];
    let fails = true;
    const failing: JobHandler = {
      kind: jobKind("test:fails", { label: "Fails", ids: [] }),
      run: async () => undefined,
      async giveUp({ caller }) {
        calls.push(caller.workspaceId);
        if (fails) throw new Error("the database is away");
      },
    };
    const { run } = givenUpSchedule([failing]);
    await withWorkspace(workspace.id, (db) => enqueue(db, failing.kind, {}));
    const exhaust = () => inspect("UPDATE graphile_worker._private_jobs SET attempts = max_attempts");
    await exhaust();
    await run(running);
    fails = false;
    await run(running);
    await run(running);
    expect(calls).toEqual([workspace.id, workspace.id]);
    const of = async () => ((await listJobs.execute(workspace.caller, {})) as { jobs: Job[] }).jobs[0] as Job;
    const { id, state, attempts, max_attempts } = await of();
    expect([state, attempts]).toEqual(["failed", max_attempts]);
    await retryJob.execute(workspace.caller, { job: id });
    expect(await of()).toMatchObject({ state: "waiting", attempts: 0 });
    await exhaust();
    await run(running);
    expect(calls).toHaveLength(3);
  });
});

describe("a job that gathers", () => {
  const gathering = jobKind("test:gather", { label: "Gather", ids: [], once: true, gatherMs: 60_000 });
  const jobs = async ({ caller }: TestWorkspace) => ((await listJobs.execute(caller, {})) as { jobs: Job[] }).jobs;

  test("is one for a burst, and no transaction waits for another", async () => {
    const [workspace] = (await some(1)) as [TestWorkspace];
    const ask = () => withWorkspace(workspace.id, (db) => enqueue(db, gathering, {}));
    await ask();
    const [first] = await jobs(workspace);
    const [held, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const open = withWorkspace(workspace.id, async (db) => {
      await enqueue(db, gathering, {});
      asked.resolve();
      await held.promise;
    });
    await asked.promise;
    await Promise.all(Array.from({ length: 20 }, ask));
    expect(await jobs(workspace)).toEqual([first]);
    // while a transaction that queued it is open, no worker takes it: it runs after all of them
    const taken = await take().finally(() => held.resolve());
    await open;
    expect(taken).toEqual([]);
    expect(await take()).toHaveLength(1);
  });

  test("that already runs is queued again for changes meanwhile", async () => {
    const [workspace] = (await some(1)) as [TestWorkspace];
    const ask = (at: Date | null = null) => withWorkspace(workspace.id, (db) => enqueue(db, gathering, {}, at));
    await ask();
    await inspect("UPDATE graphile_worker._private_jobs SET locked_at = now(), locked_by = 'somebody', attempts = 1");
    await ask();
    expect((await jobs(workspace)).filter(({ state }) => state === "scheduled")).toHaveLength(1);
  });

  test("that waits for longer gets the earlier time", async () => {
    const [workspace] = (await some(1)) as [TestWorkspace];
    const ask = (at: Date | null = null) => withWorkspace(workspace.id, (db) => enqueue(db, gathering, {}, at));
    await ask(new Date(Date.now() + 3_600_000));
    await ask();
    const [job] = await jobs(workspace);
    expect(Date.parse(job?.run_at ?? "")).toBeLessThan(Date.now() + 61_000);
    await ask(new Date(Date.now() + 3_600_000));
    expect(await jobs(workspace)).toEqual([job]);
  });

  /** Takes jobs of this kind as a worker does, also those for later. */
  async function take(): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: database.adminUrl });
    await client.connect();
    try {
      return (
        await client.query(
          `SELECT j.id FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
           WHERE t.identifier = $1 FOR UPDATE OF j SKIP LOCKED`,
          [gathering.name],
        )
      ).rows;
    } finally {
      await client.end();
    }
  }
});
