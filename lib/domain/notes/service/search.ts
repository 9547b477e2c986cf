import { AsyncLocalStorage } from "node:async_hooks";
import type { Caller } from "#lib/core/context.ts";
import { parseInput } from "#lib/core/operation.ts";
import type { Db } from "#lib/db/transaction.ts";
import { authorize, implement } from "#lib/domain/implement.ts";
import * as contract from "../contract.ts";
import { findExcerpts } from "../queries/notes.ts";
import { type Fused, fuse } from "../rules/fusion.ts";
import { readQuestion } from "../rules/question.ts";
import { readSpans } from "../rules/question-dates.ts";
import type { Asked } from "../rules/ranking.ts";
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

/** What the question of the running request means. It is asked before the transaction begins, which must not wait for a network. */
const meaningOf = new AsyncLocalStorage<Meaning>();

const search = implement(contract.searchNotes, async (ctx, { question, focus, type = null, limit }) => {
  const entityIds = focus === undefined ? null : await entityIdsOf(ctx, focus);
  await catchUp(ctx.db);
  const query = { question, spans: readSpans(question, new Date()), entityIds, type };
  const meaning = meaningOf.getStore() ?? null;
  const hybrid = meaning !== null && "vector" in meaning;
  const { found, asked } = await rankNotes(ctx.db, query, hybrid ? FUSED : limit);
  const similar = hybrid ? await findSimilar(ctx.db, meaning, query) : [];
  const documents = await describe(ctx.db, fuse(found, similar).slice(0, limit), asked);
  const mode = hybrid ? ("hybrid" as const) : ("lexical" as const);
  return {
    documents,
    count: documents.length,
    mode,
    ...(meaning && "warning" in meaning ? { warning: meaning.warning } : {}),
  };
});

/** The operation that searches, with the question's meaning when an endpoint is configured and the caller may search at all. */
export const searchNotes: typeof search = {
  contract: search.contract,
  execute: (caller, raw) => withMeaning(caller, raw, () => search.execute(caller, raw)),
  reply: (caller, raw, once) => withMeaning(caller, raw, () => search.reply(caller, raw, once)),
};

async function withMeaning<T>(caller: Caller, raw: unknown, run: () => Promise<T>): Promise<T> {
  if (!findEndpoint()) return run();
  authorize(contract.searchNotes, caller);
  const { question } = parseInput(contract.searchNotes, raw);
  return meaningOf.run(await findMeaning(question), run);
}

async function describe(db: Db, found: readonly Fused[], asked: Asked): Promise<contract.FoundNote[]> {
  const places = found.map(({ noteId, start }) => ({ id: noteId, place: excerptPlace(start) }));
  const notes = await findExcerpts(db, places, EXCERPT);
  const lexemes = await findLexemes(
    db,
    new Set(notes.flatMap(({ excerpt }) => readQuestion(excerpt).map(({ form }) => form))),
  );
  const isAsked = (form: string) => asked.byHash.has(lexemes.get(form)?.hash ?? 0);
  const byId = new Map(notes.map((note) => [note.id, note]));
  return found.flatMap(({ noteId, start, similarity, match }) => {
    const note = byId.get(noteId);
    if (!note) return [];
    const { id, entityId: entity_id, type, title } = note;
    const snippet = snippetOf(note.excerpt, start, isAsked);
    return { id, entity_id, type, title, date: dateOf(note), similarity, snippet, match };
  });
}
