// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/records/audit/contract.ts";

export const listAudit = operationAt<typeof contract.listAudit>("GET /v2/audit-log");
