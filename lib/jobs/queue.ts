import { setTimeout as sleep } from "node:timers/promises";
import type { WorkspaceId } from "#lib/core/ids.ts";
import { log } from "#lib/core/log.ts";
import { singleton } from "#lib/core/singleton.ts";
import { together } from "#lib/core/together.ts";
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { onShutdown } from "#lib/settings/boot.ts";
import { setLabel } from "./labels.ts";

/** A kind of job: its name, its label on the page of jobs, and the ids it gets. */
export type JobKind<Id extends string = string> = {
  /** `<slice>:<verb>` */
  readonly name: string;
  readonly label: string;
  readonly ids: readonly Id[];
  /** Attempts before the job is given up; the pauses between them grow from 3 s to 6 h. */
  readonly attempts: number;
  /** Jobs of one queue run one after the other: those of one workspace, or of all of them when it is `shared`. */
  readonly queue: string | null;
  readonly shared: boolean;
  /** While one with the same ids waits, a second is not queued: the first gets the second's time. */
  readonly once: boolean;
  /** For one that is `once`: it waits this long for more of the same, so that a burst of changes is one job. */
  readonly gatherMs: number | null;
  /** Jobs that can wait come after jobs that someone waits for: 0 is normal, higher runs later. */
  readonly priority: number;
};

type JobOptions<Id extends string> = Pick<JobKind<Id>, "label" | "ids"> &
  Partial<Pick<JobKind<Id>, "attempts" | "queue" | "shared" | "once" | "gatherMs" | "priority">>;

const ordinary = { attempts: 12, queue: null, shared: false, once: false, gatherMs: null, priority: 0 } as const;

export function jobKind<const Id extends string = never>(name: string, declared: JobOptions<Id>): JobKind<Id> {
  setLabel(name, declared.label);
  return { ...ordinary, ...declared, name };
}

/** The key that identifies equal jobs of a kind in a workspace; null when all are separate. */
const keyOf = <Id extends string>(kind: JobKind<Id>, ids: Readonly<Record<Id, string>>): string | null =>
  kind.once ? [kind.name, ...kind.ids.map((id) => ids[id])].join(":") : null;

const add = sql("job_enqueue", "SELECT rapport_enqueue($1, $2, $3, $4, $5, $6, $7, $8, $9)");

/**
 * Queues a job of the transaction's workspace: it exists only if the transaction commits. A job gets ids and looks up
 * the rest when it runs, which may be twice. `at`: not before then.
 */
export async function enqueue<Id extends string>(
  db: Db,
  kind: JobKind<Id>,
  ids: Readonly<Record<Id, string>>,
  at: Date | null = null,
): Promise<void> {
  await db.query(add, valuesOf(kind, ids, at));
}

/** As `enqueue`, for a kind that is `once`: not before `at`, but a job that waits for an earlier time keeps that. */
export async function enqueueAtLatest<Id extends string>(
  db: Db,
  kind: JobKind<Id>,
  ids: Readonly<Record<Id, string>>,
  at: Date,
): Promise<void> {
  // One that gathers joins what is due before.
  await db.query(add, valuesOf({ ...kind, gatherMs: kind.gatherMs ?? 0 }, ids, at));
}

/**
 * As `enqueue`, but sent with the COMMIT: for a job that many transactions queue at once, so that none locks it for
 * long.
 */
export function deferEnqueue<Id extends string>(db: Db, kind: JobKind<Id>, ids: Readonly<Record<Id, string>>): void {
  void db.defer(add, valuesOf(kind, ids, null));
}

type Soon = { jobs: Set<string>; running: Set<Promise<void>>; stop: AbortController | null };
const soon = singleton<Soon>("jobs-soon", () => ({ jobs: new Set(), running: new Set(), stop: null }));
const SOON_MS = 50;

/**
 * Queues a job that is one for a workspace in a moment, once for all that ask meanwhile: after a commit, so that no transaction
 * waits for another. A stop queues what waits; when the process is killed before, the hourly maintenance finds what is left to do.
 */
export function enqueueSoon(workspaceId: WorkspaceId, kind: JobKind<never>): void {
  const job = `${kind.name}:${workspaceId}`;
  if (soon.jobs.has(job)) return;
  soon.jobs.add(job);
  soon.stop ??= stopWithTheProcess();
  const { signal } = soon.stop;
  const queued: Promise<void> = sleep(SOON_MS, undefined, { ref: false, signal })
    .catch(() => undefined) // a stop: now
    .then(() => {
      soon.jobs.delete(job);
      return withWorkspace(workspaceId, (db) => enqueue(db, kind, {}), { operation: `queueing ${kind.name}` });
    })
    .catch((error: unknown) => log.warn({ err: error }, `${kind.name} waits for the hourly maintenance`))
    .finally(() => soon.running.delete(queued));
  soon.running.add(queued);
}

function stopWithTheProcess(): AbortController {
  const stop = new AbortController();
  onShutdown(async () => {
    soon.stop = null;
    stop.abort();
    await together([...soon.running]);
  });
  return stop;
}

function valuesOf<Id extends string>(kind: JobKind<Id>, ids: Readonly<Record<Id, string>>, at: Date | null) {
  const { name, queue, shared, attempts, priority, gatherMs } = kind;
  return [name, JSON.stringify(ids), queue, shared, at, attempts, keyOf(kind, ids), priority, gatherMs];
}
