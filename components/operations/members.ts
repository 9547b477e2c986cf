// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/access/members/contract.ts";

export const acceptInvitation = operationAt<typeof contract.acceptInvitation>(
  "POST /api/account/invitations/:token/accept",
);
export const changeRole = operationAt<typeof contract.changeRole>("PATCH /members/:id");
export const invite = operationAt<typeof contract.invite>("POST /invitations");
export const leaveWorkspace = operationAt<typeof contract.leaveWorkspace>("DELETE /api/account/workspaces/:id");
export const listInvitations = operationAt<typeof contract.listInvitations>("GET /invitations");
export const listMembers = operationAt<typeof contract.listMembers>("GET /members");
export const listOwners = operationAt<typeof contract.listOwners>("GET /owners");
export const previewRemoval = operationAt<typeof contract.previewRemoval>("GET /members/:id/removal");
export const readInvitation = operationAt<typeof contract.readInvitation>("GET /api/account/invitations/:token");
export const removeMember = operationAt<typeof contract.removeMember>("DELETE /members/:id");
export const revokeInvitation = operationAt<typeof contract.revokeInvitation>("DELETE /invitations/:id");
