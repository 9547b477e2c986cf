import type { Maintenance } from "#lib/jobs/handler.ts";
import { runBackfill } from "./service/backfill.ts";
import { queueComparison, reconcile } from "./service/reconcile.ts";

export const jobs = [runBackfill, reconcile];

export const maintenance: readonly Maintenance[] = [
  {
    name: "bookings",
    async step(workspaceId) {
      await queueComparison(workspaceId);
      return false;
    },
  },
];
