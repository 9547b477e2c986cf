// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/workspace/privacy/contract.ts";

export const erasePerson = operationAt<typeof contract.erasePerson>("POST /v2/accounts/erase");
