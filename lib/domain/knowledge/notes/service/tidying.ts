import type { WorkspaceId } from "#lib/core/ids.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { enqueue, jobKind } from "#lib/jobs/queue.ts";
import { resumable } from "#lib/jobs/resumable.ts";
import { isBehind, tidyIndex } from "./indexing.ts";

/** Queued by the save of a note too long to read at once. */
export const indexing = jobKind("notes:index", {
  label: "Read long notes into the search index",
  ids: [],
  queue: "notes-index",
  once: true,
  gatherMs: 0,
});

/** Reads and merges until nothing is left to do. */
export const tidyNotes = resumable(indexing, {
  turnMs: 5_000,
  begin:
    ({ caller }) =>
    async () =>
      (await withWorkspace(caller.workspaceId, tidyIndex)) ? "more" : "done",
});

/** Queues reading for notes that have no job. */
export const queueTidying = (workspaceId: WorkspaceId): Promise<void> =>
  withWorkspace(workspaceId, async (db) => {
    if (await isBehind(db)) await enqueue(db, indexing, {});
  });
