import type { WorkspaceId } from "#lib/core/ids.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import type { Maintenance } from "#lib/jobs/handler.ts";
import { DAY_MS } from "#lib/text/time.ts";
import { removeHiddenBefore } from "./queries.ts";

/** Longer than anything needs attention for the same reason. */
const KEEP_DAYS = 200;

/** Removes what members hid and what would not be shown any more anyway. */
export async function sweepHidden(workspaceId: WorkspaceId, now = new Date()): Promise<boolean> {
  const before = new Date(now.getTime() - KEEP_DAYS * DAY_MS);
  await withWorkspace(workspaceId, (db) => removeHiddenBefore(db, before, now));
  return false;
}

export const maintenance: readonly Maintenance[] = [{ name: "hidden items", step: (id) => sweepHidden(id) }];
