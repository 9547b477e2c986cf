// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/attention/contract.ts";

export const listAttention = operationAt<typeof contract.listAttention>("GET /v2/attention");
