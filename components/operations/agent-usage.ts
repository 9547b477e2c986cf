// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/access/agent-usage/contract.ts";

export const getAgentUsage = operationAt<typeof contract.getAgentUsage>("GET /agent-usage");
export const getKeyUsage = operationAt<typeof contract.getKeyUsage>("GET /api-keys/:id/usage");
