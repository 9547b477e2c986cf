// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/access/sign-in-demand/contract.ts";

export const getSignInDemand = operationAt<typeof contract.getSignInDemand>("GET /workspace/sign-in");
export const setSignInDemand = operationAt<typeof contract.setSignInDemand>("PATCH /workspace/sign-in");
