// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/knowledge/context/contract.ts";

export const getContext = operationAt<typeof contract.getContext>("POST /v2/context");
export const getContextText = operationAt<typeof contract.getContextText>("POST /context-text");
