// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/integrations/mailboxes/contract.ts";

export const connectMailbox = operationAt<typeof contract.connectMailbox>("POST /v2/me/mailboxes");
export const disconnectMailbox = operationAt<typeof contract.disconnectMailbox>("POST /v2/me/mailboxes/:id/disconnect");
export const findMailServer = operationAt<typeof contract.findMailServer>("GET /mail-server");
export const getMailReport = operationAt<typeof contract.getMailReport>("GET /v2/me/mailboxes/:id/report");
export const listMailFolders = operationAt<typeof contract.listMailFolders>("GET /v2/me/mailboxes/:id/folders");
export const listMailboxes = operationAt<typeof contract.listMailboxes>("GET /v2/me/mailboxes");
export const startMailSignIn = operationAt<typeof contract.startMailSignIn>("POST /api/account/mail-sign-ins");
export const syncMailbox = operationAt<typeof contract.syncMailbox>("POST /v2/me/mailboxes/:id/sync");
export const testMailbox = operationAt<typeof contract.testMailbox>("POST /v2/me/mailboxes/test");
export const updateMailbox = operationAt<typeof contract.updateMailbox>("PATCH /v2/me/mailboxes/:id");
