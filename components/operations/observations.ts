// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/knowledge/observations/contract.ts";

export const recordObservations = operationAt<typeof contract.recordObservations>("POST /v2/observations");
