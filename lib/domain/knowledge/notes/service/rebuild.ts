import type { WorkspaceId } from "#lib/core/ids.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { clearIndex } from "../queries/rebuild.ts";
import { waitMergeLock } from "../queries/terms.ts";
import { tidyIndex } from "./indexing.ts";

/** Drops the search index of a workspace and derives it again from the notes, in short transactions. */
export async function rebuildNotesIndex(workspaceId: WorkspaceId): Promise<void> {
  await withWorkspace(workspaceId, async (db) => {
    await waitMergeLock(db);
    await clearIndex(db);
  });
  await finishIndex(workspaceId);
}

/** Reads and merges until nothing is left to do. */
export async function finishIndex(workspaceId: WorkspaceId): Promise<void> {
  while (await withWorkspace(workspaceId, tidyIndex));
}
