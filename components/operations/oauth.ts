// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/access/oauth/contract.ts";

export const changeConnectedClient = operationAt<typeof contract.changeConnectedClient>("PATCH /connected-clients/:id");
export const decideAuthorization = operationAt<typeof contract.decideAuthorization>("POST /api/account/authorizations");
export const listConnectedClients = operationAt<typeof contract.listConnectedClients>("GET /connected-clients");
export const revokeConnectedClient = operationAt<typeof contract.revokeConnectedClient>(
  "POST /connected-clients/:id/revoke",
);
