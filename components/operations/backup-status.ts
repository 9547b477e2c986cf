// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/workspace/backup-status/contract.ts";

export const getBackups = operationAt<typeof contract.getBackups>("GET /backups");
