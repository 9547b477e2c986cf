// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/knowledge/merges/contract.ts";

export const checkList = operationAt<typeof contract.checkList>("POST /v2/dedup");
export const listMerges = operationAt<typeof contract.listMerges>("GET /v2/accounts/:focus/merges");
export const mergeAccounts = operationAt<typeof contract.mergeAccounts>("POST /v2/accounts/merge");
export const suggestMerges = operationAt<typeof contract.suggestMerges>("GET /v2/accounts/duplicates");
export const unmergeAccounts = operationAt<typeof contract.unmergeAccounts>("POST /v2/accounts/unmerge");
