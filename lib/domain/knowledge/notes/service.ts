export { findContents } from "./queries/notes.ts";
export { type NoteDate, parseNoteDate } from "./rules/note-dates.ts";
export { formatNoteDate } from "./serialize.ts";
export { eraseNoteIds, eraseNotes } from "./service/erase.ts";
export { findDocuments, getNote, listNotes } from "./service/read.ts";
export { finishIndex, markNotesUnread, rebuildNotesIndex } from "./service/rebuild.ts";
export { keepNotes, type NoteDraft, noteFor, saveNote, saveNoteAbout, saveNoteOnce } from "./service/save.ts";
export { searchNotes } from "./service/search.ts";
