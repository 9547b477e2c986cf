// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/access/device-logins/contract.ts";

export const approveDeviceLogin = operationAt<typeof contract.approveDeviceLogin>(
  "POST /api/account/device-logins/:user_code/approve",
);
export const denyDeviceLogin = operationAt<typeof contract.denyDeviceLogin>(
  "POST /api/account/device-logins/:user_code/deny",
);
export const getDeviceLogin = operationAt<typeof contract.getDeviceLogin>("GET /api/account/device-logins/:user_code");
export const pollDeviceLogin = operationAt<typeof contract.pollDeviceLogin>("POST /api/cli/auth/poll");
export const revokePresentedKey = operationAt<typeof contract.revokePresentedKey>("POST /api/cli/auth/revoke");
export const startDeviceLogin = operationAt<typeof contract.startDeviceLogin>("POST /api/cli/auth/start");
