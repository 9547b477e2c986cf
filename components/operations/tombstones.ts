// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/records/tombstones/contract.ts";

export const allowAgain = operationAt<typeof contract.allowAgain>("POST /v2/accounts/allow");
