// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/activities/contract.ts";

export const capture = operationAt<typeof contract.capture>("POST /api/v1/capture");
export const captureBatch = operationAt<typeof contract.captureBatch>("POST /api/v1/capture/batch");
