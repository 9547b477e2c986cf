import type { z } from "zod";
import type { Db } from "#lib/db/handle.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import * as contract from "../contract.ts";
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
import { entityIdsOf } from "./read.ts";
import { findMeaning, findSimilar, type Meaning } from "./semantic.ts";

/** Notes of each list before the two are fused; more than an answer holds, so that agreement below its end counts. */
const FUSED = 50;

/** Finds notes by words, and by meaning when an endpoint is configured; it is asked before the transaction begins. */
export const searchNotes = implement(contract.searchNotes, search, {
  transaction: "writing",
  before: async (_caller, { question }) => (findEndpoint() ? findMeaning(question) : null),
});

type Input = z.output<typeof contract.searchNotes.input>;

async function search(ctx: Ctx, { question, focus, type, limit }: Input, meaning: Meaning | null) {
  const entityIds = focus === undefined ? null : await entityIdsOf(ctx, focus);
  await catchUp(ctx.db);
  const query = { question, spans: readSpans(question, new Date()), entityIds, type: type ?? null };
  const hybrid = meaning !== null && "vector" in meaning;
  const { notes: found, asked } = await rankNotes(ctx.db, query, hybrid ? FUSED : limit);
  const similar = hybrid ? await findSimilar(ctx.db, meaning, query) : [];
  const documents = await describe(ctx.db, fuse(found, similar).slice(0, limit), asked);
  const mode = hybrid ? ("hybrid" as const) : ("lexical" as const);
  return {
    documents,
    count: documents.length,
    mode,
    ...(meaning && "warning" in meaning ? { warning: meaning.warning } : {}),
  };
}

async function describe(db: Db, matches: readonly FusedNote[], asked: PreparedTerms): Promise<contract.FoundNote[]> {
  const places = matches.map(({ noteId, start }) => ({ id: noteId, place: excerptPlace(start) }));
  const notes = await findExcerpts(db, places, EXCERPT);
  const lexemes = await findLexemes(
    db,
    new Set(notes.flatMap(({ excerpt }) => readQuestion(excerpt).map(({ form }) => form))),
  );
  const isAsked = (form: string) => asked.byHash.has(lexemes.get(form)?.hash ?? 0);
  const byId = new Map(notes.map((note) => [note.id, note]));
  return matches.flatMap(({ noteId, start, similarity, match }) => {
    const note = byId.get(noteId);
    if (!note) return [];
    const { id, entityId: entity_id, type, title } = note;
    const snippet = snippetOf(note.excerpt, start, isAsked);
    return { id, entity_id, type, title, date: dateOf(note), similarity, snippet, match };
  });
}
