import type { WorkspaceId } from "#lib/core/ids.ts";
import { DAY_MS } from "#lib/core/time.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import type { Maintenance } from "#lib/jobs/handler.ts";
import { removeEventsBefore } from "./queries.ts";

/** Older events are no longer delivered: deliveries that are still being tried have rows of their own. */
const KEEP_DAYS = 3;
const BATCH = 5_000;

/** Removes some of what is too old to be delivered; true while there is more. */
export const sweepOutbox = async (workspaceId: WorkspaceId, now = new Date()): Promise<boolean> => {
  const before = new Date(now.getTime() - KEEP_DAYS * DAY_MS);
  return (await withWorkspace(workspaceId, (db) => removeEventsBefore(db, before, BATCH))) === BATCH;
};

export const maintenance: readonly Maintenance[] = [{ name: "outbox", step: (id) => sweepOutbox(id) }];
