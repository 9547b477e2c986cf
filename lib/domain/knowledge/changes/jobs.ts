import type { WorkspaceId } from "#lib/core/ids.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import type { Maintenance } from "#lib/jobs/handler.ts";
import { DAY_MS } from "#lib/text/time.ts";
import { removeReadersBefore } from "./queries.ts";

/** A reader that has not come back for so long begins again. */
const KEEP_DAYS = 90;

/** Forgets readers of changes that have gone. */
export async function sweepReaders(workspaceId: WorkspaceId, now = new Date()): Promise<boolean> {
  const before = new Date(now.getTime() - KEEP_DAYS * DAY_MS);
  await withWorkspace(workspaceId, (db) => removeReadersBefore(db, before));
  return false;
}

export const maintenance: readonly Maintenance[] = [{ name: "change readers", step: (id) => sweepReaders(id) }];
