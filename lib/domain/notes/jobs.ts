import { everyWorkspace } from "#lib/auth/operator.ts";
import { onShutdown } from "#lib/core/boot.ts";
import type { WorkspaceId } from "#lib/core/ids.ts";
import { singleton } from "#lib/core/singleton.ts";
import { embedSome, findEndpoint, queueOutdated } from "./service/embedding.ts";
import { finishIndex } from "./service/rebuild.ts";

/**
 * What is left to do after notes were saved: reading very long ones to their end, and embeddings. The queue is in the
 * database, so a restart loses nothing; this is only who empties it, in every process, one step at a time.
 */
type Worker = {
  /** workspaces that may have work, with how many more looks they get: a save wakes us before it commits */
  looks: Map<WorkspaceId, number>;
  /** false until every workspace was looked at once, for what an earlier process left */
  swept: boolean;
  timer: NodeJS.Timeout | null;
  running: Promise<void> | null;
  registered: boolean;
};

const worker = singleton<Worker>("notes-worker", () => ({
  looks: new Map(),
  swept: false,
  timer: null,
  running: null,
  registered: false,
}));

/** Looks after a save, which wakes us before it commits. */
const LOOKS = 4;
/** Pause between two steps, so that requests come first; and while nothing was found. */
const PAUSE_MS = 100;
const IDLE_MS = 1000;
/** A queue whose next note is due later is looked at again after a minute at most: another process may add to it. */
const LONGEST_MS = 60_000;

/** Tells the worker that a workspace has work, or soon will; without one, to look for what an earlier process left. */
export function wakeNotesWorker(workspaceId?: WorkspaceId): void {
  if (workspaceId !== undefined) worker.looks.set(workspaceId, LOOKS);
  if (!worker.registered) onShutdown(stopNotesWorker);
  worker.registered = true;
  if (worker.timer === null && worker.running === null) schedule(PAUSE_MS);
}

function schedule(ms: number): void {
  worker.timer = setTimeout(() => {
    worker.timer = null;
    worker.running = step()
      .catch(() => LONGEST_MS) // the database is away: what was to do stays queued there
      .then((next) => {
        worker.running = null;
        if (next !== null && worker.registered) schedule(next);
      });
  }, ms).unref();
}

/** One step in one workspace; answers when the next is due, null when nothing is left anywhere. */
async function step(): Promise<number | null> {
  const endpoint = findEndpoint();
  if (!worker.swept) {
    worker.swept = true;
    for (const workspaceId of await everyWorkspace()) {
      if (endpoint) await queueOutdated(workspaceId, endpoint.model);
      worker.looks.set(workspaceId, worker.looks.get(workspaceId) ?? 1);
    }
  }
  const [next] = worker.looks;
  if (!next) return null;
  const [workspaceId, looks] = next;
  worker.looks.delete(workspaceId);
  await finishIndex(workspaceId);
  const { failed, waitMs } = endpoint ? await embedSome(workspaceId, endpoint) : { failed: false, waitMs: null };
  if (waitMs !== null) worker.looks.set(workspaceId, LOOKS);
  else if (looks > 1) worker.looks.set(workspaceId, looks - 1);
  if (failed) return waitMs;
  if (worker.looks.size > 1 || (waitMs !== null && waitMs <= 0)) return PAUSE_MS;
  return Math.min(LONGEST_MS, Math.max(IDLE_MS, waitMs ?? 0));
}

/** Waits for the step under way and does no more. */
export async function stopNotesWorker(): Promise<void> {
  if (worker.timer) clearTimeout(worker.timer);
  worker.timer = null;
  worker.registered = false;
  worker.swept = false;
  worker.looks.clear();
  await worker.running;
}
