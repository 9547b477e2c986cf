// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/workspace/checks/contract.ts";

export const getChecks = operationAt<typeof contract.getChecks>("GET /v2/workspace/checks");
