// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/knowledge/messages/contract.ts";

export const getThread = operationAt<typeof contract.getThread>("GET /v2/threads/:id");
export const listMessages = operationAt<typeof contract.listMessages>("GET /messages");
export const listThreads = operationAt<typeof contract.listThreads>("GET /v2/threads");
export const previewMailbox = operationAt<typeof contract.previewMailbox>("GET /team-view/mailboxes/:id");
export const previewThread = operationAt<typeof contract.previewThread>("GET /team-view/threads/:id");
export const previewThreads = operationAt<typeof contract.previewThreads>("GET /team-view/threads");
export const shareThread = operationAt<typeof contract.shareThread>("PATCH /threads/:id");
