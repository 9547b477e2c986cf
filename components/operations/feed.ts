// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/knowledge/feed/contract.ts";

export const browseActivities = operationAt<typeof contract.browseActivities>("GET /feed");
export const listActivities = operationAt<typeof contract.listActivities>("GET /v2/activities");
