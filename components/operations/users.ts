// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/workspace/users/contract.ts";

export const changePassword = operationAt<typeof contract.changePassword>("POST /api/account/password");
export const getProfile = operationAt<typeof contract.getProfile>("GET /api/account/profile");
export const listSessions = operationAt<typeof contract.listSessions>("GET /api/account/sessions");
export const requestPasswordReset = operationAt<typeof contract.requestPasswordReset>(
  "POST /api/account/password/forgot",
);
export const resetPassword = operationAt<typeof contract.resetPassword>("POST /api/account/password/reset");
export const revokeSession = operationAt<typeof contract.revokeSession>("DELETE /api/account/sessions/:id");
export const signUp = operationAt<typeof contract.signUp>("POST /api/account/sign-up");
export const updateProfile = operationAt<typeof contract.updateProfile>("PATCH /api/account/profile");
