// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/workspace/exports/contract.ts";

export const cancelExport = operationAt<typeof contract.cancelExport>("POST /v2/exports/:id/cancel");
export const createExport = operationAt<typeof contract.createExport>("POST /v2/exports");
export const deleteExport = operationAt<typeof contract.deleteExport>("DELETE /v2/exports/:id");
export const getExport = operationAt<typeof contract.getExport>("GET /v2/exports/:id");
export const listExports = operationAt<typeof contract.listExports>("GET /v2/exports");
