// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/integrations/crm-sync/contract.ts";

export const cancelCrmRun = operationAt<typeof contract.cancelCrmRun>("POST /v2/workspace/crm-sync-runs/:id/cancel");
export const configureCrmSync = operationAt<typeof contract.configureCrmSync>("POST /v2/workspace/crm-sync");
export const getCrmRun = operationAt<typeof contract.getCrmRun>("GET /v2/workspace/crm-sync-runs/:id");
export const getCrmSync = operationAt<typeof contract.getCrmSync>("GET /v2/workspace/crm-sync");
export const listCrmRuns = operationAt<typeof contract.listCrmRuns>("GET /v2/workspace/crm-sync-runs");
export const syncCrmNow = operationAt<typeof contract.syncCrmNow>("POST /v2/workspace/crm-sync-now");
