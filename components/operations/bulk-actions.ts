// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/crm/bulk-actions/contract.ts";

export const cancelBulkAction = operationAt<typeof contract.cancelBulkAction>("POST /v2/bulk-actions/:id/cancel");
export const createBulkAction = operationAt<typeof contract.createBulkAction>("POST /v2/bulk-actions");
export const getBulkAction = operationAt<typeof contract.getBulkAction>("GET /v2/bulk-actions/:id");
export const listBulkActions = operationAt<typeof contract.listBulkActions>("GET /v2/bulk-actions");
export const undoBulkAction = operationAt<typeof contract.undoBulkAction>("POST /v2/bulk-actions/:id/undo");
