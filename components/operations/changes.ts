// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/knowledge/changes/contract.ts";

export const listChanges = operationAt<typeof contract.listChanges>("GET /v2/changes");
export const summariseChanges = operationAt<typeof contract.summariseChanges>("GET /v2/changes/summary");
