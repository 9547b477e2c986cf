import type { Db } from "#lib/db/handle.ts";
import type { NoteType } from "../contract.ts";
import { findInSpans, findParts, findPartsOfEntities, type PartWords } from "../queries/search.ts";
import type { RankedTerm } from "../rules/asking.ts";
import { fitOf, isDateWord, type Span } from "../rules/question-dates.ts";
import { type PreparedTerms, prepare, scorePart, WEIGHTS, type Weights } from "../rules/ranking.ts";
import { type Bonus, retrieve } from "../rules/retrieval.ts";
import { NOWHERE, unpackStream, type WordStream } from "../rules/word-stream.ts";
import { type AskedQuestion, askIndex } from "./ask.ts";

/** Entries read from the postings, parts ranked in full, and words of them: what bounds the time of a search. */
const ENTRY_BUDGET = 250_000;
const CANDIDATES = { most: 200, words: 400_000 };

/** Parts that a date alone brings in. */
const DATED_PARTS = 40;

export type Query = {
  question: string;
  spans: readonly Span[];
  /** a focus with what was merged into it; null: everyone */
  entityIds: readonly string[] | null;
  /** null: every type */
  types: readonly NoteType[] | null;
};

/** `start`: where the best passage begins, in code points. */
export type BestPassage = { noteId: string; score: number; similarity: number; start: number; date: Date };

/** The notes that answer a question by their words, best first, with what recognises the words that were asked. */
export async function rankNotes(
  db: Db,
  query: Query,
  limit: number,
  weights: Weights = WEIGHTS,
): Promise<{ notes: BestPassage[]; asked: PreparedTerms }> {
  const few = query.entityIds !== null && isFew(await findPartsOfEntities(db, query.entityIds, query.types));
  const question = await askIndex(db, query, few ? 0 : ENTRY_BUDGET);
  // Queried again: a part that was merged since the first look is either here now, or was read among those that wait.
  const own = query.entityIds === null ? null : await findPartsOfEntities(db, query.entityIds, query.types);
  const asked = prepare(question.terms);
  const numbersOfOwn = own?.flatMap(({ number }) => (number === null ? [] : [number])) ?? [];
  const numbers = few ? numbersOfOwn : await candidatesOf(db, question, query, own && new Set(numbersOfOwn), weights);
  const parts = [...(await findParts(db, numbers)), ...question.index.waiting.filter(matches(query))];
  return { notes: bestNotes(parts, question, asked, query.spans, weights).slice(0, limit), asked };
}

/** A focus with so few parts that all of them are ranked. */
const isFew = (parts: readonly { length: number }[]): boolean =>
  parts.length <= CANDIDATES.most && sumOf(parts, ({ length }) => length) <= CANDIDATES.words;

const matches =
  ({ entityIds, types }: Query) =>
  (part: PartWords): boolean =>
    (entityIds === null || entityIds.includes(part.entityId)) && (types === null || types.includes(part.type));

async function candidatesOf(
  db: Db,
  { terms, named, index, statistics }: AskedQuestion,
  { spans, types }: Query,
  only: ReadonlySet<number> | null,
  weights: Weights,
): Promise<number[]> {
  const entriesOf = (term: string) => index.terms.get(term)?.entries ?? [];
  const bonuses: Bonus[] = terms.flatMap(({ word, nameIdf }) => {
    const numbers = named.get(word.form)?.numbers;
    return numbers === undefined ? [] : [{ numbers, worth: weights.name * nameIdf }];
  });
  const entries = terms.map(({ word, idf, variantTerms }) => [
    { worth: idf, entries: entriesOf(word.term) },
    ...variantTerms.map(({ term, weight }) => ({ worth: idf * weight, entries: entriesOf(term) })),
  ]);
  const dated = spans.length === 0 ? null : { spans, worth: weights.span * meanIdf(terms) };
  const { nextNumber } = index.totals;
  const candidates = retrieve({ nextNumber, statistics, terms: entries, bonuses, dated, only, types }, CANDIDATES);
  if (!dated || only) return candidates;
  return [...new Set([...candidates, ...(await findInSpans(db, spans, types, DATED_PARTS))])];
}

const sumOf = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0);

const meanIdf = (terms: readonly { idf: number }[]): number =>
  terms.length === 0 ? 1 : sumOf(terms, ({ idf }) => idf) / terms.length;

/** The highest score of a note per unit of idf, reached when all words of the question are together in it. */
const FULL = 3;

/** Notes by their best part; of equal ones the later first. */
export function bestNotes(
  parts: readonly Omit<PartWords, "type">[],
  { terms, named, statistics, speakers }: Pick<AskedQuestion, "terms" | "named" | "statistics" | "speakers">,
  asked: PreparedTerms,
  spans: readonly Span[],
  weights: Weights = WEIGHTS,
): BestPassage[] {
  const spanWorth = weights.span * meanIdf(terms);
  const most =
    FULL *
    Math.max(
      1,
      sumOf(terms, ({ idf }) => idf),
    );
  const byNote = new Map<string, BestPassage>();
  for (const { noteId, entityId, date, length, words } of parts) {
    const isNamed = (form: string) => named.get(form)?.entityIds.has(entityId) === true;
    const dated = fitOf(date, spans);
    const isGiven = ({ word: { form } }: RankedTerm) => isNamed(form) || (dated > 0 && isDateWord(form));
    const requiredTerms = new Set(terms.flatMap((term, index) => (isGiven(term) ? [index] : [])));
    const stream = unpackStream(words);
    const { score: said, passage, found } = scorePart(asked, stream, length, statistics, weights, requiredTerms);
    let score = said;
    for (const [index, { word, nameIdf }] of terms.entries()) {
      if (!isNamed(word.form)) continue;
      const speaks = speakers.has(word.form) ? weights.speaker : 1;
      score += weights.name * nameIdf * speaks * ((found[index] ?? 0) > 0 ? 0.5 : 1);
    }
    score += spanWorth * dated;
    const best = byNote.get(noteId);
    if (score <= 0 || (best && best.score >= score)) continue;
    byNote.set(noteId, { noteId, score, similarity: Math.min(1, score / most), start: startOf(stream, passage), date });
  }
  return [...byNote.values()].sort(
    (a, b) => b.score - a.score || b.date.getTime() - a.date.getTime() || (a.noteId < b.noteId ? 1 : -1),
  );
}

/** Where a passage begins in the content; one that begins with the title, where the content begins to match. */
function startOf({ starts }: WordStream, passage: number): number {
  if (passage < 0) return 0;
  const inContent = starts.findIndex((start, index) => index >= passage && start !== NOWHERE);
  return inContent < 0 ? 0 : (starts[inContent] as number);
}
