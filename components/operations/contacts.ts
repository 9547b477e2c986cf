// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/knowledge/contacts/contract.ts";

export const addIdentifier = operationAt<typeof contract.addIdentifier>("POST /v2/accounts/:focus/identifiers");
export const getAccount = operationAt<typeof contract.getAccount>("GET /v2/accounts/:focus");
export const getCompany = operationAt<typeof contract.getCompany>("GET /v2/companies/:focus");
export const getConfidence = operationAt<typeof contract.getConfidence>("GET /accounts/:id/confidence");
export const getHistory = operationAt<typeof contract.getHistory>("GET /v2/accounts/:focus/history");
export const getPerson = operationAt<typeof contract.getPerson>("GET /v2/people/:focus");
export const getTimeline = operationAt<typeof contract.getTimeline>("GET /v2/accounts/:focus/timeline");
export const removeIdentifier = operationAt<typeof contract.removeIdentifier>(
  "POST /v2/accounts/:focus/identifiers/remove",
);
export const resolveFocus = operationAt<typeof contract.resolveFocus>("POST /resolve");
export const verifyClaim = operationAt<typeof contract.verifyClaim>("POST /v2/verify");
export const withdrawValue = operationAt<typeof contract.withdrawValue>("POST /accounts/:id/withdraw");
