// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/knowledge/notes/contract.ts";

export const getNote = operationAt<typeof contract.getNote>("GET /v2/notes/:id");
export const listNotes = operationAt<typeof contract.listNotes>("GET /v2/notes");
export const saveNote = operationAt<typeof contract.saveNote>("POST /v2/notes");
