import type { WorkspaceId } from "#lib/core/ids.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import type { Maintenance } from "#lib/jobs/handler.ts";
import { removeCallsBefore, removeLatestCallsBefore } from "./queries.ts";
import { lastDays, oldestShown } from "./rules.ts";

const KEEP_DAYS = 90;

/** Removes counts and calls that no page shows any more. */
export async function sweepCalls(workspaceId: WorkspaceId, now = new Date()): Promise<boolean> {
  const [first] = lastDays(KEEP_DAYS, now);
  await withWorkspace(workspaceId, async (db) => {
    await removeCallsBefore(db, first as string);
    await removeLatestCallsBefore(db, oldestShown(now));
  });
  return false;
}

export const maintenance: readonly Maintenance[] = [{ name: "client calls", step: (id) => sweepCalls(id) }];
