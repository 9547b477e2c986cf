import type { WorkspaceId } from "#lib/core/ids.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import type { Maintenance } from "#lib/jobs/handler.ts";
import { DAY_MS } from "#lib/text/time.ts";
import { removeDeliveriesBefore } from "./queries/deliveries.ts";
import { removeHoursBefore } from "./queries.ts";
import { sweepUnwanted } from "./service/rounds.ts";

/** Days that deliveries are kept, and that events wait for a trigger that is stopped. */
const KEEP_DAYS = 30;
const BATCH = 1_000;

/** Removes some of what is too old from the log; true while there is more. */
export const sweepDeliveries = (workspaceId: WorkspaceId, now = new Date()): Promise<boolean> =>
  withWorkspace(workspaceId, async (db) => {
    const before = new Date(now.getTime() - KEEP_DAYS * DAY_MS);
    await removeHoursBefore(db, before);
    return (await removeDeliveriesBefore(db, before, BATCH)) === BATCH;
  });

export const maintenance: readonly Maintenance[] = [
  { name: "events without triggers", step: sweepUnwanted },
  { name: "deliveries", step: (id) => sweepDeliveries(id) },
];
