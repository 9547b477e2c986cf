import { callOperation, operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/notes/contract.ts";
import type { FoundNote, NoteSummary, NoteType } from "#lib/domain/notes/contract.ts";

const list = operationAt<typeof contract.listNotes>("GET /v2/notes");
const get = operationAt<typeof contract.getNote>("GET /v2/notes/:id");
const save = operationAt<typeof contract.saveNote>("POST /v2/notes");
const search = operationAt<typeof contract.searchNotes>("POST /v2/notes/search");

export type { FoundNote, NoteSummary, NoteType };

export type NoteFilter = { focus?: string; type?: NoteType };
/** Days, both included. */
export type Span = { from?: string; to?: string };
export type NewNote = { focus: string; content: string; type: NoteType; title?: string; date?: string };

/** What pages ask about notes. */
export const noteCallsOf = (workspaceId: string) => ({
  list: (filter: NoteFilter & Span, cursor: string | null, signal?: AbortSignal) =>
    callOperation(list, workspaceId, { ...filter, ...(cursor ? { cursor } : {}) }, signal ? { signal } : {}),
  get: (id: string, signal: AbortSignal) => callOperation(get, workspaceId, { id }, { signal }),
  save: (note: NewNote) => callOperation(save, workspaceId, note),
  search: (question: string, filter: NoteFilter, signal: AbortSignal) =>
    callOperation(search, workspaceId, { question, ...filter, limit: 20 }, { signal }),
});

export const notesKey = (workspaceId: string) => ["notes", workspaceId] as const;

export type NotesPage = Awaited<ReturnType<ReturnType<typeof noteCallsOf>["list"]>>;
