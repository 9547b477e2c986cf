// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/crm/activities/contract.ts";

export const capture = operationAt<typeof contract.capture>("POST /api/v1/capture");
export const captureBatch = operationAt<typeof contract.captureBatch>("POST /api/v1/capture/batch");
export const correctActivity = operationAt<typeof contract.correctActivity>("PATCH /v2/activities/:id");
export const removeActivity = operationAt<typeof contract.removeActivity>("DELETE /v2/activities/:id");
export const restoreActivity = operationAt<typeof contract.restoreActivity>("POST /v2/activities/:id/restore");
