import { parseAsString, parseAsStringLiteral } from "#components/ui/query-state.ts";
import type { NoteFilter, Span } from "./calls.ts";
import { noteTypes } from "./note-types.ts";

/** The state that the notes page keeps in the address. */
export const notesAddress = {
  q: parseAsString,
  type: parseAsStringLiteral(noteTypes),
  /** The person or company the notes are on. */
  about: parseAsString,
  /** Days, both included. */
  from: parseAsString,
  to: parseAsString,
  note: parseAsString,
  open: parseAsStringLiteral(["new-note"]),
};

type NotesPlace = { type: NoteFilter["type"] | null; about: string | null; from: string | null; to: string | null };

/** The filters for a search. */
export function filterOf({ type, about }: NotesPlace): NoteFilter {
  return { ...(about ? { focus: about } : {}), ...(type ? { type } : {}) };
}

/** The filters for the list. */
export function listFilterOf(place: NotesPlace): NoteFilter & Span {
  const { from, to } = place;
  return { ...filterOf(place), ...(from ? { from } : {}), ...(to ? { to } : {}) };
}
