import { callOperation } from "#components/api.ts";
import { getNote, listNotes, saveNote } from "#components/operations/notes.ts";
import { searchNotes } from "#components/operations/search.ts";
import type { NoteType } from "#lib/domain/knowledge/notes/contract.ts";
import { noteTypes } from "./note-types.ts";

export type { NoteType };

export type NoteFilter = { focus?: string; type?: NoteType };
/** Days, both included. */
export type Span = { from?: string; to?: string };
export type NewNote = {
  focus: string;
  content: string;
  type: NoteType;
  title?: string;
  date?: string;
  supersedes?: string;
};

/** Requests about notes. */
export const noteCallsOf = (workspaceId: string) => ({
  list: (filter: NoteFilter & Span, cursor: string | null, signal?: AbortSignal) =>
    callOperation(listNotes, workspaceId, { ...filter, ...(cursor ? { cursor } : {}) }, signal ? { signal } : {}),
  get: (id: string, signal: AbortSignal) => callOperation(getNote, workspaceId, { id }, { signal }),
  save: (note: NewNote) => callOperation(saveNote, workspaceId, note),
  /** Of every type, e-mails that the reader may see too, unless one is chosen. */
  search: (question: string, { focus, type }: NoteFilter, signal: AbortSignal) =>
    callOperation(
      searchNotes,
      workspaceId,
      {
        ...{ question, limit: 20, types: type ? [type] : [...noteTypes, "email"] },
        ...(focus ? { focus } : {}),
      },
      { signal },
    ),
});

export const notesKey = (workspaceId: string) => ["notes", workspaceId] as const;

export type Note = Awaited<ReturnType<ReturnType<typeof noteCallsOf>["get"]>>;
export type NotesPage = Awaited<ReturnType<ReturnType<typeof noteCallsOf>["list"]>>;
