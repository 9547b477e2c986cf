// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/access/second-factor/contract.ts";

export const beginSecondFactor = operationAt<typeof contract.beginSecondFactor>("POST /api/account/second-factor");
export const confirmIdentity = operationAt<typeof contract.confirmIdentity>("POST /api/account/confirm");
export const confirmSecondFactor = operationAt<typeof contract.confirmSecondFactor>(
  "POST /api/account/second-factor/confirm",
);
export const removeSecondFactor = operationAt<typeof contract.removeSecondFactor>(
  "POST /api/account/second-factor/remove",
);
export const renewRecoveryCodes = operationAt<typeof contract.renewRecoveryCodes>(
  "POST /api/account/second-factor/recovery-codes",
);
