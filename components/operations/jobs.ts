// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/integrations/jobs/contract.ts";

export const listJobs = operationAt<typeof contract.listJobs>("GET /jobs");
export const retryJob = operationAt<typeof contract.retryJob>("POST /jobs/:job/retry");
