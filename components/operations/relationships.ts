// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/knowledge/relationships/contract.ts";

export const getRelationships = operationAt<typeof contract.getRelationships>("GET /v2/accounts/:focus/relationships");
