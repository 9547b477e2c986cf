// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/access/passkeys/contract.ts";

export const addPasskey = operationAt<typeof contract.addPasskey>("POST /api/account/passkeys");
export const beginPasskey = operationAt<typeof contract.beginPasskey>("POST /api/account/passkeys/new");
export const beginPasskeyUse = operationAt<typeof contract.beginPasskeyUse>("POST /api/account/passkeys/challenge");
export const removePasskey = operationAt<typeof contract.removePasskey>("DELETE /api/account/passkeys/:id");
export const renamePasskey = operationAt<typeof contract.renamePasskey>("PATCH /api/account/passkeys/:id");
