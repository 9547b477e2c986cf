import type { WorkspaceId } from "#lib/core/ids.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import type { Maintenance } from "#lib/jobs/handler.ts";
import { removeCallsBefore } from "./queries.ts";
import { lastDays } from "./rules.ts";

const KEEP_DAYS = 90;

/** Forgets counts that no page shows any more. */
export async function sweepCalls(workspaceId: WorkspaceId, now = new Date()): Promise<boolean> {
  const [first] = lastDays(KEEP_DAYS, now);
  await withWorkspace(workspaceId, (db) => removeCallsBefore(db, first as string));
  return false;
}

export const maintenance: readonly Maintenance[] = [{ name: "client calls", step: (id) => sweepCalls(id) }];
