// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/knowledge/messages/contract.ts";

export const getThread = operationAt<typeof contract.getThread>("GET /v2/threads/:id");
export const listThreads = operationAt<typeof contract.listThreads>("GET /v2/threads");
export const shareThread = operationAt<typeof contract.shareThread>("PATCH /threads/:id");
