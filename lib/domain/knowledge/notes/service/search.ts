import type { Db } from "#lib/db/handle.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import type { NoteType } from "../contract.ts";
import { findExcerpts } from "../queries/notes.ts";
import { type FusedNote, fuse } from "../rules/fusion.ts";
import { readQuestion } from "../rules/question.ts";
import { readSpans } from "../rules/question-dates.ts";
import type { PreparedTerms } from "../rules/ranking.ts";
import { EXCERPT, excerptPlace, snippetOf } from "../rules/snippets.ts";
import { dateOf } from "../serialize.ts";
import { findEndpoint } from "./embedding.ts";
import { catchUp } from "./indexing.ts";
import { findLexemes } from "./lexemes.ts";
import { rankNotes } from "./rank.ts";
import { findMeaning, findSimilar, type Meaning } from "./semantic.ts";

/** Notes of each list before the two are fused; more than an answer holds, so that agreement below its end counts. */
const FUSED = 50;

export type FoundNote = {
  id: string;
  entity_id: string;
  type: NoteType;
  title: string | null;
  date: string;
  similarity: number;
  snippet: string;
  match: FusedNote["match"];
};

/** What a question means; null without an endpoint. Before the transaction begins: it goes over the network. */
export const meaningOf = (question: string): Promise<Meaning> =>
  findEndpoint() ? findMeaning(question) : Promise.resolve(null);

/** Notes that answer a question by their words, and by their meaning where it is known. `types`: null for all. */
export async function findNotesFor(
  ctx: Ctx,
  {
    question,
    entityIds,
    types,
    limit,
  }: { question: string; entityIds: readonly string[] | null; types: readonly NoteType[] | null; limit: number },
  meaning: Meaning,
): Promise<FoundNote[]> {
  await catchUp(ctx.db);
  const query = { question, spans: readSpans(question, new Date()), entityIds, types };
  const hybrid = meaning !== null && "vector" in meaning;
  const { notes: found, asked } = await rankNotes(ctx.db, query, hybrid ? FUSED : limit);
  const similar = hybrid ? await findSimilar(ctx.db, meaning, query) : [];
  return describe(ctx.db, fuse(found, similar).slice(0, limit), asked);
}

async function describe(db: Db, matches: readonly FusedNote[], asked: PreparedTerms): Promise<FoundNote[]> {
  const places = matches.map(({ noteId, start }) => ({ id: noteId, place: excerptPlace(start) }));
  const notes = await findExcerpts(db, places, EXCERPT);
  const isAsked = await recogniser(
    db,
    notes.map(({ excerpt }) => excerpt),
    asked,
  );
  const byId = new Map(notes.map((note) => [note.id, note]));
  return matches.flatMap(({ noteId, start, similarity, match }) => {
    const note = byId.get(noteId);
    if (!note) return [];
    const { id, entityId: entity_id, type, title } = note;
    const snippet = snippetOf(note.excerpt, start, isAsked);
    return { id, entity_id, type, title, date: dateOf(note), similarity, snippet, match };
  });
}

/** Recognises the words that were asked, by their forms, in some texts. */
export async function recogniser(
  db: Db,
  texts: readonly string[],
  asked: PreparedTerms,
): Promise<(form: string) => boolean> {
  const forms = texts.flatMap((text) => readQuestion(text).map(({ form }) => form));
  const lexemes = await findLexemes(db, new Set(forms));
  return (form) => asked.byHash.has(lexemes.get(form)?.hash ?? 0);
}
