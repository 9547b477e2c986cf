// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/knowledge/query/contract.ts";

export const queryObservations = operationAt<typeof contract.queryObservations>("POST /v2/query");
