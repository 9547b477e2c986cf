// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/knowledge/attention/contract.ts";

export const hideAttention = operationAt<typeof contract.hideAttention>("POST /attention/hide");
export const listAttention = operationAt<typeof contract.listAttention>("GET /v2/attention");
export const showAttention = operationAt<typeof contract.showAttention>("POST /attention/show");
