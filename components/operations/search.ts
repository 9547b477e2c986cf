// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/knowledge/search/contract.ts";

export const searchNotes = operationAt<typeof contract.searchNotes>("POST /v2/notes/search");
