// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/integrations/bookings/contract.ts";

export const cancelBackfill = operationAt<typeof contract.cancelBackfill>("POST /backfills/:id/cancel");
export const listBackfillContacts = operationAt<typeof contract.listBackfillContacts>("GET /backfills/:id/contacts");
export const listBackfills = operationAt<typeof contract.listBackfills>("GET /backfills");
export const resumeBackfill = operationAt<typeof contract.resumeBackfill>("POST /backfills/:id/resume");
export const startBackfill = operationAt<typeof contract.startBackfill>("POST /backfills");
