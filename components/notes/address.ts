import { parseAsString, parseAsStringLiteral } from "nuqs/server";
import type { NoteFilter, Span } from "./calls.ts";
import { noteTypes } from "./note-types.ts";

/** What the notes page keeps in the address. */
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

/** What of it searching takes. */
export function filterOf({ type, about }: NotesPlace): NoteFilter {
  return { ...(about ? { focus: about } : {}), ...(type ? { type } : {}) };
}

/** What of it the list takes. */
export function listFilterOf(place: NotesPlace): NoteFilter & Span {
  const { from, to } = place;
  return { ...filterOf(place), ...(from ? { from } : {}), ...(to ? { to } : {}) };
}
