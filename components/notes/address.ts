import { parseAsString, parseAsStringLiteral } from "nuqs/server";
import type { NoteFilter } from "./calls.ts";
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

/** What of it the list operation takes. */
export function filterOf(place: { type: NoteFilter["type"] | null; about: string | null }): NoteFilter {
  return { ...(place.about ? { focus: place.about } : {}), ...(place.type ? { type: place.type } : {}) };
}
