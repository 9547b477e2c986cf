// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/workspace/sample-data/contract.ts";

export const getSampleData = operationAt<typeof contract.getSampleData>("GET /sample-data");
export const loadSampleData = operationAt<typeof contract.loadSampleData>("POST /sample-data/load");
export const removeSampleData = operationAt<typeof contract.removeSampleData>("POST /sample-data/remove");
