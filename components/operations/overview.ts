// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/knowledge/overview/contract.ts";

export const getActivity = operationAt<typeof contract.getActivity>("GET /activity");
export const getCompanyStages = operationAt<typeof contract.getCompanyStages>("GET /companies/:id/stages");
export const getNames = operationAt<typeof contract.getNames>("GET /names");
export const getOverview = operationAt<typeof contract.getOverview>("GET /overview");
export const getTrends = operationAt<typeof contract.getTrends>("GET /trends");
export const getWeek = operationAt<typeof contract.getWeek>("GET /week");
