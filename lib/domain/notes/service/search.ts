import type { Db } from "#lib/db/transaction.ts";
import { implement } from "#lib/domain/implement.ts";
import * as contract from "../contract.ts";
import { findExcerpts } from "../queries/notes.ts";
import { readQuestion } from "../rules/question.ts";
import { readSpans } from "../rules/question-dates.ts";
import type { Asked } from "../rules/ranking.ts";
import { EXCERPT, excerptPlace, snippetOf } from "../rules/snippets.ts";
import { dateOf } from "../serialize.ts";
import { catchUp } from "./indexing.ts";
import { findLexemes } from "./lexemes.ts";
import { type Found, rankNotes } from "./rank.ts";
import { entityIdsOf } from "./read.ts";

export const searchNotes = implement(contract.searchNotes, async (ctx, { question, focus, type = null, limit }) => {
  const entityIds = focus === undefined ? null : await entityIdsOf(ctx, focus);
  await catchUp(ctx.db);
  const spans = readSpans(question, new Date());
  const { found, asked } = await rankNotes(ctx.db, { question, spans, entityIds, type }, limit);
  const documents = await describe(ctx.db, found, asked);
  return { documents, count: documents.length, mode: "lexical" as const };
});

async function describe(db: Db, found: readonly Found[], asked: Asked): Promise<contract.FoundNote[]> {
  const places = found.map(({ noteId, start }) => ({ id: noteId, place: excerptPlace(start) }));
  const notes = await findExcerpts(db, places, EXCERPT);
  const lexemes = await findLexemes(
    db,
    new Set(notes.flatMap(({ excerpt }) => readQuestion(excerpt).map(({ form }) => form))),
  );
  const isAsked = (form: string) => asked.byHash.has(lexemes.get(form)?.hash ?? 0);
  const byId = new Map(notes.map((note) => [note.id, note]));
  return found.flatMap(({ noteId, start, similarity }) => {
    const note = byId.get(noteId);
    if (!note) return [];
    const { id, entityId: entity_id, type, title } = note;
    const snippet = snippetOf(note.excerpt, start, isAsked);
    return { id, entity_id, type, title, date: dateOf(note), similarity, snippet, match: "lexical" as const };
  });
}
