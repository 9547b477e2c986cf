import type { NoteType } from "#lib/domain/knowledge/notes/contract.ts";

export const noteTypes = [
  "note",
  "meeting_notes",
  "transcript",
  "meeting_brief",
  "pre_meeting",
  "research",
] as const satisfies readonly NoteType[];

export const noteTypeLabels: Readonly<Record<NoteType, string>> = {
  note: "Note",
  meeting_notes: "Meeting notes",
  transcript: "Transcript",
  meeting_brief: "Meeting brief",
  pre_meeting: "Before a meeting",
  research: "Research",
};

export const noteTypeOptions = noteTypes.map((value) => ({ value, label: noteTypeLabels[value] }));

/** What is found beside notes too. */
export type SearchedType = NoteType | "email";

export const labelOf = (type: SearchedType): string => (type === "email" ? "E-mail" : noteTypeLabels[type]);

/** What a note or an e-mail without a title is called. */
export const noteTitle = (title: string | null, type: SearchedType): string => title ?? labelOf(type);
