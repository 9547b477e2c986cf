import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type JobHelpers, parseCronItems, run, type WorkerEvents, type WorkerPool } from "graphile-worker";
import { jobAuthority } from "#lib/auth/jobs.ts";
import { isFault } from "#lib/core/errors.ts";
import { log } from "#lib/core/log.ts";
import { singleton } from "#lib/core/singleton.ts";
import { beginPiece, endPiece } from "#lib/core/stalls.ts";
import { isUnavailable } from "#lib/core/unavailable.ts";
import { DIRECT_OPTIONS, directUrl } from "#lib/db/pooler.ts";
import { startMailWatch, stopMailWatch } from "#lib/domain/integrations/mailboxes/service.ts";
import type { JobHandler, Schedule } from "#lib/jobs/handler.ts";
import { logger } from "#lib/jobs/logging.ts";
import { ProviderFault } from "#lib/providers/request.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { keepAlive, type Liveness } from "./liveness.ts";
import { patience } from "./patience.ts";
import { QueuePool } from "./queue-pool.ts";
import { handlers, schedules, walks } from "./registry.ts";
import { WALK, type WalkPosition, walkAtStart, walkOn } from "./walk.ts";

/** A runner of the queue with its connections, from its start until it is stopped. */
type Run = {
  /** Resolves when it ended by itself: it lost the database in the middle of something. */
  broken: Promise<void>;
  /** Lets running jobs reach their next step, and closes its connections. Called once. */
  stop(): Promise<void>;
};

/** What a started worker is: the present run, or the attempts to begin another. */
type StartedWorker = { run: Run | null; renewing: Promise<void> | null; leaving: AbortController };

const state = singleton<{ started: StartedWorker | null }>("worker", () => ({ started: null }));

/**
 * A job with a later time is found within this time after it is due; one that is due at once within milliseconds, by
 * NOTIFY.
 */
const POLL_MS = 1_000;

/** How long a stop waits for a job's next step before the job is told to stop there. */
const ABORT_MS = 1_000;

/** How long a runner that lost the database may take to end. */
const GIVE_UP_MS = 2 * ABORT_MS;

/** How long a connection may take to open; a server that is silent must not keep a stop waiting. */
const CONNECT_MS = 10_000;

/** Whether this process runs jobs. */
export const workerState = (): "running" | "stopped" => (state.started?.run ? "running" : "stopped");

/**
 * Starts running jobs in this process; resolves once it does. A worker that breaks (a lost database) starts again by
 * itself.
 */
export async function startWorker(): Promise<void> {
  if (state.started) return;
  const started: StartedWorker = { run: null, renewing: null, leaving: new AbortController() };
  state.started = started;
  try {
    await startMailWatch();
    await keepRunning(started);
  } catch (error) {
    state.started = null;
    await stopMailWatch();
    throw error;
  }
}

/** Takes no more jobs, lets running ones reach their next step, and releases those that are not done. */
export async function stopWorker(): Promise<void> {
  const { started } = state;
  state.started = null;
  started?.leaving.abort();
  await started?.renewing;
  await started?.run?.stop();
  await stopMailWatch();
}

/** Begins a run, and another when it breaks. */
async function keepRunning(started: StartedWorker): Promise<void> {
  const run = await begin();
  started.run = run;
  void run.broken.then(() => {
    if (!started.leaving.signal.aborted) started.renewing = renew(started, run);
  });
  await walkAtStart(walks).catch((error: unknown) => log.warn({ err: error }, "the look at the start is left out"));
}

/** Ends a run that broke, and tries to begin another until one does or the worker is stopped. Never rejects. */
async function renew(started: StartedWorker, broken: Run): Promise<void> {
  const { signal } = started.leaving;
  started.run = null;
  await broken.stop();
  while (!started.run) {
    // It also keeps `npm run worker` alive: without the database that process has nothing else to wait for.
    await sleep(patience.restartMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    await keepRunning(started).catch((error: unknown) => {
      if (!isUnavailable(error)) log.error({ err: error }, "the worker did not start again");
    });
  }
}

async function begin(): Promise<Run> {
  const { env } = getBoot();
  const pool = new QueuePool({
    connectionString: directUrl(),
    options: DIRECT_OPTIONS,
    // One listens, the others fetch and finish jobs; the jobs themselves use the app's pool.
    max: env.WORKER_CONCURRENCY + 1,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: "rapport-worker",
  });
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  const events: WorkerEvents = new EventEmitter();
  let jobs: WorkerPool | null = null;
  let liveness: Promise<Liveness> | null = null;
  const troubled = (error: unknown) => {
    if (!isUnavailable(error)) log.warn({ err: error }, "the worker's sign of life failed"); // else it is tried every second
  };
  events.on("pool:create", ({ workerPool }) => {
    jobs = workerPool;
    liveness = keepAlive(workerPool.id, troubled);
  });
  // A runner that cannot mark jobs as done waits for ever when two attempts fail at once: it counts what is pending wrongly.
  const givenUp = new Promise<void>((resolve) => {
    events.on("pool:fatalError", () => setTimeout(resolve, GIVE_UP_MS));
  });
  const close = async () => {
    await (await liveness)?.stop();
    await pool.end();
  };
  try {
    // The queue's own start tries for minutes, and cannot be told to stop.
    (await pool.connect()).release();
    const runner = await run({
      pgPool: pool,
      events,
      logger,
      noHandleSignals: true,
      concurrency: env.WORKER_CONCURRENCY,
      pollInterval: POLL_MS,
      gracefulShutdownAbortTimeout: ABORT_MS,
      // In batches, so that a stop waits until a job is marked as done; else the pool ends first, and the job stays locked.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      taskList: Object.fromEntries([...handlers.map(taskOf), ...schedules.map(scheduledTaskOf), walkTask]),
      parsedCronItems: parseCronItems([
        ...schedules
          .filter(({ isNeeded }) => isNeeded?.() ?? true)
          .map(({ name, pattern }) => ({ task: name, match: pattern, options: { maxAttempts: 3 } })),
        ...walks.flatMap(({ name, pattern }) =>
          pattern === undefined
            ? []
            : [{ task: WALK, match: pattern, identifier: name, payload: { walk: name }, options: { maxAttempts: 3 } }],
        ),
      ]),
    });
    // Not of the runner: its schedule sleeps for up to a minute before it tries a lost database again.
    const ended = Promise.race([(jobs as WorkerPool | null)?.promise, givenUp]);
    runner.promise.catch(() => undefined);
    return {
      broken: ended.catch((error: unknown) => {
        if (isUnavailable(error)) log.warn({ reason: String(error) }, "the worker stopped and waits for the database");
        else log.error({ err: error }, "the worker stopped");
      }),
      async stop() {
        runner.stop().catch(() => undefined); // it has already stopped by itself
        await ended.catch(() => undefined);
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const taskOf = ({ kind, run: work }: JobHandler) => [
  kind.name,
  async (payload: unknown, { job, abortSignal }: JobHelpers): Promise<void> => {
    const { workspace_id, ...ids } = payload as Record<string, string>;
    const caller = await jobAuthority(workspace_id ?? "", job.id);
    if (!caller) return; // the workspace was deleted, so there is nothing to do
    const attempt = { caller, attempt: job.attempts, last: job.attempts >= job.max_attempts, signal: abortSignal };
    const fields = { job_id: job.id, job: kind.name, workspace_id, attempt: job.attempts };
    await logged(fields, () => work(attempt, ids));
  },
];

const scheduledTaskOf = ({ name, run: work }: Schedule) => [
  name,
  (_payload: unknown, { job, abortSignal }: JobHelpers): Promise<void> =>
    logged({ job_id: job.id, job: name }, () => work(abortSignal)),
];

const walkTask = [
  WALK,
  async (payload: unknown, { job, abortSignal }: JobHelpers): Promise<void> => {
    const place = payload as WalkPosition;
    const walk = walks.find(({ name }) => name === place.walk);
    if (!walk) return; // a kind of another release
    await logged({ job_id: job.id, job: WALK, walk: walk.name }, () => walkOn(walk, place, job.id, abortSignal));
  },
];

/**
 * One line a run. The message stored with a failed job is shown to the workspace, so our own errors are not quoted
 * there.
 */
async function logged(fields: Record<string, unknown>, work: () => Promise<void>): Promise<void> {
  const started = performance.now();
  const ms = () => Math.round((performance.now() - started) * 100) / 100;
  beginPiece(fields);
  try {
    await work();
    log.info({ ...fields, ms: ms() }, "job");
  } catch (error) {
    if (isFault(error) || error instanceof ProviderFault) {
      log.info({ ...fields, ms: ms(), error: error.message }, "job will be tried again");
      throw new Error(error.message);
    }
    if (isUnavailable(error)) {
      log.warn({ ...fields, ms: ms(), reason: String(error) }, "job will be tried again");
      throw new Error("The database was away.");
    }
    log.error({ ...fields, ms: ms(), err: error }, "job failed");
    throw new Error(`Something went wrong on our side (job ${String(fields.job_id)} in the server's log).`);
  } finally {
    endPiece(fields, ms());
  }
}
