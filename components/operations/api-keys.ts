// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/access/api-keys/contract.ts";

export const changeApiKey = operationAt<typeof contract.changeApiKey>("PATCH /api-keys/:id");
export const getAgentActivity = operationAt<typeof contract.getAgentActivity>("GET /agent-activity");
export const getCaller = operationAt<typeof contract.getCaller>("GET /v2/me");
export const listApiKeys = operationAt<typeof contract.listApiKeys>("GET /api-keys");
export const mintApiKey = operationAt<typeof contract.mintApiKey>("POST /api-keys");
export const revokeApiKey = operationAt<typeof contract.revokeApiKey>("POST /api-keys/:id/revoke");
export const rotateApiKey = operationAt<typeof contract.rotateApiKey>("POST /api-keys/:id/rotate");
