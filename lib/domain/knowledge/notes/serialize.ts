import { shorten } from "#lib/text/clip.ts";
import { formatTime } from "#lib/text/time.ts";
import type { NoteSummary } from "./contract.ts";
import { type NoteHead, type NoteOpening, OPENING } from "./queries/notes.ts";
import type { NoteDate } from "./rules/note-dates.ts";
import { isLong, SNIPPET } from "./rules/snippets.ts";

/** The wire form: a day stays a day. */
export const formatNoteDate = ({ time, dateOnly }: NoteDate): string =>
  dateOnly ? time.toISOString().slice(0, 10) : time.toISOString();

export const dateOf = (note: Pick<NoteHead, "date" | "dateOnly">): string =>
  formatNoteDate({ time: note.date, dateOnly: note.dateOnly });

export const metadataOf = (note: Pick<NoteHead, "type" | "title" | "date" | "dateOnly">) => ({
  doc_type: note.type,
  title: note.title,
  date: dateOf(note),
});

export const storedOf = (note: NoteHead) => ({
  id: note.id,
  entity_id: note.entityId,
  metadata: metadataOf(note),
  source: note.source,
  created_at: formatTime(note.createdAt),
});

export const summaryOf = (note: NoteOpening): NoteSummary => ({
  ...storedOf(note),
  snippet: shorten(note.opening, SNIPPET),
  truncated: [...note.opening].length === OPENING || isLong(note.opening),
});
