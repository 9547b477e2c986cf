// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/integrations/mailboxes/contract.ts";

export const connectMailbox = operationAt<typeof contract.connectMailbox>("POST /mailboxes");
export const disconnectMailbox = operationAt<typeof contract.disconnectMailbox>("POST /mailboxes/:id/disconnect");
export const getMailReport = operationAt<typeof contract.getMailReport>("GET /mailboxes/:id/report");
export const listMailboxes = operationAt<typeof contract.listMailboxes>("GET /mailboxes");
export const syncMailbox = operationAt<typeof contract.syncMailbox>("POST /mailboxes/:id/sync");
export const testMailbox = operationAt<typeof contract.testMailbox>("POST /mailboxes/test");
export const updateMailbox = operationAt<typeof contract.updateMailbox>("PATCH /mailboxes/:id");
