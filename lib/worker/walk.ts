import { setTimeout as sleep } from "node:timers/promises";
import { workspacesAfter } from "#lib/auth/operator.ts";
import type { WorkspaceId } from "#lib/core/ids.ts";
import type { Walk } from "#lib/jobs/handler.ts";
import { Turn } from "#lib/jobs/resumable.ts";
import { pgOf } from "./connection.ts";
import { visit } from "./maintenance.ts";

/** The job that goes through the workspaces. */
export const WALK = "workspaces:walk";

/** `after`: the last workspace that was visited; absent where it begins. */
export type WalkPosition = { walk: string; after?: WorkspaceId };

/** After this time it frees the worker and queues itself for the rest, so that a kill repeats no more than that. */
const TURN_MS = 10_000;
/** Pause between two workspaces, so that requests do not wait for the database. */
const PAUSE_MS = 10;
const PAGE = 200;

const ATTEMPTS = 5;
const PRIORITY = 10;

type Pace = { turnMs?: number; pauseMs?: number };

/**
 * Visits the workspaces after a place in the order of their ids, one at a time, for a turn. At most one walk of a name
 * runs: one that cron or another process starts meanwhile ends at once. `jobId`: of the job that runs this.
 */
export async function walkOn(
  { name, parts }: Walk,
  { after }: Pick<WalkPosition, "after">,
  jobId: string,
  signal: AbortSignal,
  { turnMs = TURN_MS, pauseMs = PAUSE_MS }: Pace = {},
): Promise<void> {
  if (after === undefined && (await isUnderWay(name, jobId))) return;
  let last = after;
  let next: WorkspaceId[] = [];
  const left = await new Turn({ ms: turnMs, signal }).take(async () => {
    if (last !== after) await sleep(pauseMs);
    if (next.length === 0) next = await workspacesAfter(last ?? null, PAGE);
    const id = next.shift();
    if (id === undefined) return "done";
    await visit(id, parts);
    last = id;
    return "more";
  });
  if (left === "more" && last !== undefined) await queueWalk({ walk: name, after: last });
}

/** Begins the walks that run when a process starts to run jobs. */
export async function walkAtStart(walks: readonly Walk[]): Promise<void> {
  for (const { name, atStart } of walks) if (atStart?.()) await queueWalk({ walk: name });
}

/** At most one job waits to begin a walk and one to continue it. */
const keyOf = (walk: string, part: "begin" | "go on"): string => `${WALK}:${walk}:${part}`;

const goingOn = `SELECT FROM graphile_worker._private_jobs
  WHERE id <> $2 AND key = $1 AND (is_available OR locked_at IS NOT NULL)`;

const isUnderWay = (name: string, jobId: string): Promise<boolean> =>
  pgOf(async (client) => (await client.query(goingOn, [keyOf(name, "go on"), jobId])).rowCount !== 0);

const add = "SELECT FROM graphile_worker.add_job($1, $2, max_attempts => $3, job_key => $4, priority => $5)";

const queueWalk = (place: WalkPosition): Promise<void> =>
  pgOf(async (client) => {
    const key = keyOf(place.walk, place.after === undefined ? "begin" : "go on");
    await client.query(add, [WALK, JSON.stringify(place), ATTEMPTS, key, PRIORITY]);
  });
