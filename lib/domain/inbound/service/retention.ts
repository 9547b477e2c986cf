import { everyWorkspace } from "#lib/auth/operator.ts";
import { getBoot } from "#lib/core/boot.ts";
import { DAY_MS } from "#lib/core/time.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { removeDeliveries, removeRefusals } from "../queries.ts";

/** Deliveries removed in one transaction. */
const BATCH = 500;

/** Removes what is older than INBOUND_RETENTION_DAYS from every workspace's log. What still waits to be processed stays. */
export async function endRetention(now: Date = new Date()): Promise<void> {
  const before = new Date(now.getTime() - getBoot().env.INBOUND_RETENTION_DAYS * DAY_MS);
  for (const workspaceId of await everyWorkspace()) {
    while ((await withWorkspace(workspaceId, (db) => removeDeliveries(db, before, BATCH))) === BATCH);
    await withWorkspace(workspaceId, (db) => removeRefusals(db, before));
  }
}
