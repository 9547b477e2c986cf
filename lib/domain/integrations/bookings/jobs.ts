import { handles, type Maintenance } from "#lib/jobs/handler.ts";
import { runBackfill } from "./service/backfill.ts";
import { queueComparison, reconcile, reconciling } from "./service/reconcile.ts";

export const jobs = [runBackfill, handles(reconciling, reconcile)];

export const maintenance: readonly Maintenance[] = [
  {
    name: "bookings",
    async step(workspaceId) {
      await queueComparison(workspaceId);
      return false;
    },
  },
];
