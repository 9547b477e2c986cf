import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { pageSize } from "#lib/core/page-input.ts";
import { Id, nonBlank } from "#lib/core/schema.ts";
import { Focus, NoteType, noteTypes, Title, WrittenDate } from "#lib/domain/knowledge/notes/contract.ts";

const Match = z.enum(["lexical", "semantic", "hybrid"]).meta({ id: "NoteMatch" });

/** What can be searched: notes of a kind, and e-mails. */
const searchedTypes = [...noteTypes, "email"] as const;
const SearchedType = z.enum(searchedTypes);

const FoundNote = z
  .strictObject({
    id: Id,
    entity_id: Id,
    type: SearchedType,
    title: Title,
    date: WrittenDate,
    similarity: z
      .number()
      .min(0)
      .max(1)
      .describe("How well it answers, best first; comparable within one answer only."),
    snippet: z.string().max(400).describe("The best passage; empty where you see only the subject of an e-mail."),
    match: Match.describe("What found it: its words, its meaning, or both."),
    thread_id: Id.optional().describe("Of an e-mail: its conversation."),
  })
  .meta({ id: "FoundNote", description: "A note or an e-mail that answers a search." });

export const searchNotes = defineOperation({
  name: "searchNotes",
  tag: "Notes",
  summary: "Search the notes with a question or a few words",
  description:
    "Finds by words (other forms, accents, typing errors, phrases), by the people and companies they are kept on, and by dates (`in March`). With an embeddings endpoint on the server, meaning counts too. A note is found right after its save. E-mails are searched only when `types` names them.",
  surface: "public",
  scope: "read",
  http: { method: "POST", path: "/v2/notes/search" },
  input: z.strictObject({
    question: nonBlank().describe("A question or a few words. In the caller's own language."),
    focus: Focus.optional().describe("Only notes on this person or company."),
    type: NoteType.optional().describe("Only documents of this kind."),
    types: z
      .array(SearchedType)
      .min(1)
      .optional()
      .describe("Only these kinds. `email`: messages that you may see. Default: every kind of note."),
    limit: pageSize(8, 20),
  }),
  output: z.strictObject({
    documents: z.array(FoundNote),
    count: z.int().describe("Number of documents returned."),
    mode: Match.describe("What ran: `lexical` without an embeddings endpoint, else `hybrid`."),
    warning: z.string().optional().describe("Only when a part of the search could not run."),
  }),
  errors: ["question_required", "invalid_focus", "invalid_type", "entity_not_found"],
  codes: {
    missing: { question: "question_required" },
    fields: { focus: "invalid_focus", type: "invalid_type" },
  },
  // A kept answer may hold what a member shares with no one.
  secrets: { output: ["documents"] },
  tool: {
    name: "search_notes",
    description: "Find passages of notes and transcripts that answer a question.",
    parameters: ["question", "focus", "limit"],
  },
  example: {
    input: { question: "What did Anna say about the budget?", focus: "acme.com" },
    output: {
      documents: [
        {
          id: "0190a6e0-0000-7000-8000-000000000010",
          entity_id: "0190a6e0-0000-7000-8000-000000000020",
          type: "meeting_notes",
          title: "Discovery call",
          date: "2026-06-03",
          similarity: 0.71,
          snippet: "Anna wants SSO before the security review in July. Budget is approved up to 40,000 euros.",
          match: "lexical",
        },
      ],
      count: 1,
      mode: "lexical",
    },
  },
});
