import { handles, type Schedule } from "#lib/jobs/handler.ts";
import { backfilling, runBackfill } from "./service/backfill.ts";
import { reconcile, reconcileAll, reconciling } from "./service/reconcile.ts";

export const jobs = [handles(backfilling, runBackfill), handles(reconciling, reconcile)];

export const schedules: readonly Schedule[] = [
  { name: "bookings:reconcile-all", pattern: "7 * * * *", run: reconcileAll },
];
