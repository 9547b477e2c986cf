import { z } from "zod";
import { defineOperation, LARGE_BODY_LIMIT } from "#lib/core/operation.ts";
import { cursorPage, cursorPaging } from "#lib/core/page-input.ts";
import { EndTime, Id, nonBlank, Time, Timestamp } from "#lib/core/schema.ts";
import { parseNoteDate } from "./rules/note-dates.ts";

export const noteTypes = ["note", "meeting_brief", "transcript", "meeting_notes", "pre_meeting", "research"] as const;

export const NoteType = z.enum(noteTypes).meta({ id: "NoteType", description: "What kind of document it is." });
export type NoteType = z.output<typeof NoteType>;

/** Longest content, in characters (code points). */
export const MAX_CONTENT = 2_000_000;

export const Focus = z.string().describe("Entity id, e-mail, LinkedIn URL or domain of a person or company.");

export const Title = z.string().nullable().describe("Short name.");

export const WrittenDate = z
  .string()
  .describe("The relevant date as it was given: a day (`2026-06-03`) or a moment (`2026-06-03T14:00:00.000Z`).");

const Metadata = z.strictObject({ doc_type: NoteType, title: Title, date: WrittenDate }).meta({ id: "NoteMetadata" });

/** Code points are counted only where UTF-16 units alone do not decide. */
const withinLimit = (text: string): boolean => text.length <= MAX_CONTENT || [...text].length <= MAX_CONTENT;

const InputDate = z.string().transform((text, ctx) => {
  const date = parseNoteDate(text);
  if (date) return date;
  ctx.addIssue("must be a date such as 2026-06-03, 3 June 2026, June 3, 2026 14:00 or an ISO 8601 time");
  return z.NEVER;
});

const exampleId = "0190a6e0-0000-7000-8000-000000000010";
const exampleEntity = "0190a6e0-0000-7000-8000-000000000020";
const exampleMetadata = { doc_type: "meeting_notes", title: "Discovery call", date: "2026-06-03" } as const;
const exampleContent = "Anna wants SSO before the security review in July. Budget is approved up to 40,000 euros.";

export const saveNote = defineOperation({
  name: "saveNote",
  tag: "Notes",
  summary: "Keep a document on a person or company",
  description:
    "For durable documents: briefs, transcripts, research. Content is kept whole and never changed or deleted, only corrected by a new version (`supersedes`). A new identifier makes its record. The next search finds the note. It leaves an event `note.saved` on the timeline, which moves no stage.",
  surface: "public",
  scope: "write",
  http: { method: "POST", path: "/v2/notes", status: 201, body: { limit: LARGE_BODY_LIMIT } },
  input: z.strictObject({
    focus: nonBlank().describe(
      "Entity id, e-mail, LinkedIn URL or domain of a person or company; a bare name is refused.",
    ),
    content: nonBlank()
      .refine(withinLimit, { error: "must be at most 2,000,000 characters long" })
      .describe("The full text, up to 2,000,000 characters."),
    type: NoteType.optional().describe("What kind of document it is; default `note`."),
    title: z.string().max(200).optional().describe("Short name, up to 200 characters."),
    date: InputDate.optional().describe(
      "The relevant date, such as `2026-06-03`. Also ISO 8601, `3 June 2026` or `June 3, 2026 14:00` (UTC when no offset is given). Default: now, of a correction the date of what it corrects. A day stays a day.",
    ),
    supersedes: Id.optional().describe(
      "The id of a note on the same person or company that this one corrects: it stays in the history, out of lists and search. Its type, title and date are kept unless given.",
    ),
  }),
  output: z.strictObject({
    note: z.strictObject({ id: Id, metadata: Metadata }),
    entity_id: Id,
    doc_type: NoteType,
  }),
  errors: [
    "focus_and_content_required",
    "invalid_focus",
    "invalid_type",
    "invalid_date",
    "entity_not_found",
    "note_not_found",
    "note_already_superseded",
  ],
  codes: {
    missing: { focus: "focus_and_content_required", content: "focus_and_content_required" },
    fields: { focus: "invalid_focus", type: "invalid_type", date: "invalid_date", supersedes: "note_not_found" },
  },
  tool: {
    name: "save_note",
    description:
      "Keep a document on a person or company: a brief, meeting notes, a transcript, research. Short facts belong in record.",
    parameters: ["focus", "content", "type", "title", "date"],
  },
  example: {
    input: {
      focus: "anna@acme.com",
      content: exampleContent,
      type: "meeting_notes",
      title: "Discovery call",
      date: "3 June 2026",
    },
    output: {
      note: { id: exampleId, metadata: exampleMetadata },
      entity_id: exampleEntity,
      doc_type: "meeting_notes",
    },
  },
});

const Stored = {
  id: Id,
  entity_id: Id,
  metadata: Metadata,
  source: z.string().describe("`api`, `mcp`, `manual` (the app), or what saved it."),
  created_at: Timestamp,
};

const NoteVersion = z
  .strictObject({
    id: Id,
    source: z.string(),
    created_at: Timestamp,
    author: z.string().nullable().describe("The member who wrote it; null for keys, clients and providers."),
    current: z.boolean().describe("False for one that was corrected since."),
  })
  .meta({ id: "NoteVersion", description: "One version of a note." });

export const getNote = defineOperation({
  name: "getNote",
  tag: "Notes",
  summary: "Read a note in full",
  description:
    "The content is returned byte for byte as it was saved, also of a note that was corrected since; `versions` says which.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/notes/:id" },
  input: z.strictObject({ id: Id.describe("The note.") }),
  output: z.strictObject({
    note: z
      .strictObject({ ...Stored, content: z.string() })
      .meta({ id: "Note", description: "A note with its whole text." }),
    entity_id: Id,
    doc_type: NoteType,
    versions: z
      .array(NoteVersion)
      .describe("The note as it was saved and corrected, the current version first; at most 50."),
  }),
  errors: ["note_not_found"],
  codes: { fields: { id: "note_not_found" } },
  example: {
    input: { id: exampleId },
    output: {
      note: {
        id: exampleId,
        entity_id: exampleEntity,
        metadata: exampleMetadata,
        source: "api",
        created_at: "2026-06-03T15:00:00.000Z",
        content: exampleContent,
      },
      entity_id: exampleEntity,
      doc_type: "meeting_notes",
      versions: [{ id: exampleId, source: "api", created_at: "2026-06-03T15:00:00.000Z", author: null, current: true }],
    },
  },
});

export const NoteSummary = z
  .strictObject({
    ...Stored,
    snippet: z.string().describe("How it begins, up to 400 characters."),
    truncated: z.boolean().describe("Whether the content goes on after the snippet."),
  })
  .meta({ id: "NoteSummary", description: "A note without its whole text." });
export type NoteSummary = z.output<typeof NoteSummary>;

export const listNotes = defineOperation({
  name: "listNotes",
  tag: "Notes",
  summary: "List notes, newest first",
  description:
    "Ordered by the notes' date, the latest first. Contents are shortened; read one note for its whole text.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/notes" },
  input: z.strictObject({
    focus: Focus.optional().describe("Only notes on this person or company."),
    type: NoteType.optional().describe("Only documents of this kind."),
    from: Time.optional().describe("Only notes dated then or later."),
    to: EndTime.optional().describe("Only notes dated then or earlier; a date includes its whole day (UTC)."),
    ...cursorPaging(50, 200),
  }),
  output: z.strictObject({
    notes: z.array(NoteSummary),
    ...cursorPage,
  }),
  errors: ["invalid_focus", "invalid_type", "entity_not_found"],
  codes: { fields: { focus: "invalid_focus", type: "invalid_type" } },
  example: {
    input: { focus: "anna@acme.com", limit: 50 },
    output: {
      notes: [
        {
          id: exampleId,
          entity_id: exampleEntity,
          metadata: exampleMetadata,
          source: "api",
          created_at: "2026-06-03T15:00:00.000Z",
          snippet: exampleContent,
          truncated: false,
        },
      ],
      limit: 50,
      has_more: false,
      next_cursor: null,
    },
  },
});
