import type { WorkspaceId } from "#lib/core/ids.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import type { JobRun } from "#lib/jobs/handler.ts";
import { enqueue, jobKind } from "#lib/jobs/queue.ts";
import { isBehind, tidyIndex } from "./indexing.ts";

/** Queued by the save of a note too long to read at once. */
export const indexing = jobKind("notes:index", {
  label: "Read long notes into the search index",
  ids: [],
  queue: "notes-index",
  once: true,
  gatherMs: 0,
});

/** After this long other workspaces get their turn. */
const TURN_MS = 5_000;

/**
 * Reads and merges until nothing is left to do; what is left when its turn is over or the server stops is queued again.
 */
export async function tidyNotes({ caller: { workspaceId }, signal }: JobRun): Promise<void> {
  const until = performance.now() + TURN_MS;
  while (await withWorkspace(workspaceId, tidyIndex))
    if (signal.aborted || performance.now() > until)
      return withWorkspace(workspaceId, (db) => enqueue(db, indexing, {}));
}

/** Queues reading for notes that have no job. */
export const queueTidying = (workspaceId: WorkspaceId): Promise<void> =>
  withWorkspace(workspaceId, async (db) => {
    if (await isBehind(db)) await enqueue(db, indexing, {});
  });
