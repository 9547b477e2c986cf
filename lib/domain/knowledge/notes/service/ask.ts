import { together } from "#lib/core/together.ts";
import type { Db } from "#lib/db/handle.ts";
import type { NoteType } from "../contract.ts";
import { findKnown, findNamed, type IndexPart, readIndex } from "../queries/search.ts";
import { countWaiting, lookUps, type RankedTerm, rankedTerms, type StemmedWord, stemWords } from "../rules/asking.ts";
import { isCorrectable, neighboursOf } from "../rules/edits.ts";
import { readTerms } from "../rules/parts.ts";
import { type AskedWord, MAX_TERMS, readQuestion, speakersOf } from "../rules/question.ts";
import { datingWords } from "../rules/question-dates.ts";
import type { Statistics } from "../rules/statistics.ts";
import { findLexemes, findRelated } from "./lexemes.ts";

/** Parts that a name may bring in. */
const NAMED_PARTS = 3000;

/** Rank of a word that is in no note, relative to the number of parts of the others. */
const UNKNOWN = Number.MAX_SAFE_INTEGER;

/** At most this many words of a question are corrected; if more are unknown, they are not typing errors. */
const CORRECTIONS = 6;

/** A question compared with the workspace's index: its terms with their weights, and all that was read of the index. */
export type AskedQuestion = {
  terms: RankedTerm[];
  /** by the form asked: the parts of the people and companies of that name */
  named: Map<string, { entityIds: Set<string>; parts: number; numbers: number[] }>;
  index: IndexPart;
  statistics: Statistics;
  /** forms that the question names as the one who spoke */
  speakers: ReadonlySet<string>;
};

type ReadQuestion = Omit<AskedQuestion, "terms" | "speakers"> & {
  words: StemmedWord[];
  countOf: (term: string) => number;
  present: Set<string>;
};

/** Reads the index for a question, and once more when words of it had to be corrected. `budget`: postings to read; 0 none. */
export async function askIndex(
  db: Db,
  { question, types }: { question: string; types: readonly NoteType[] | null },
  budget: number,
): Promise<AskedQuestion> {
  const words = await chooseWords(db, readQuestion(question));
  let looked = await lookUp(db, words, types, budget);
  const corrected = await correct(db, looked);
  if (corrected.size > 0) {
    const better = words.map((word) => {
      const form = corrected.get(word.form);
      return form === undefined ? word : { form, compound: false, corrected: true };
    });
    looked = await lookUp(db, better, types, budget);
  }
  const { named, index, statistics, countOf, present } = looked;
  const nameCountOf = (form: string) => named.get(form)?.parts ?? 0;
  const terms = rankedTerms(looked.words, present, countOf, nameCountOf, statistics, datingWords(question));
  return { terms, named, index, statistics, speakers: speakersOf(question) };
}

/** The rarest words of a very long question; words found in the workspace come first. */
async function chooseWords(db: Db, words: AskedWord[]): Promise<AskedWord[]> {
  const lexemes = await findLexemes(db, new Set(words.map(({ form }) => form)));
  const content = words.filter(({ form }) => lexemes.get(form)?.term != null);
  if (content.length <= MAX_TERMS) return content;
  const [known, { waiting }] = await together([
    findKnown(
      db,
      content.map(({ form }) => form),
    ),
    readIndex(db, [], [], 0),
  ]);
  const latest = new Set(waiting.flatMap(({ pending }) => readTerms(pending).map(([term]) => term)));
  const partsOf = new Map(
    known.map(({ form, term, parts, named }) => [form, parts ?? (named || latest.has(term) ? 1 : UNKNOWN)]),
  );
  const order = content.map(({ form }) => partsOf.get(form) ?? UNKNOWN);
  const chosen = new Set(
    [...order.keys()].sort((a, b) => (order[a] ?? 0) - (order[b] ?? 0) || a - b).slice(0, MAX_TERMS),
  );
  return content.filter((_, index) => chosen.has(index));
}

async function lookUp(
  db: Db,
  asked: readonly (AskedWord & { corrected?: boolean })[],
  types: readonly NoteType[] | null,
  budget: number,
): Promise<ReadQuestion> {
  const forms = asked.map(({ form }) => form);
  const lexemes = await findLexemes(db, new Set(forms));
  const words = stemWords(asked, lexemes, await findRelated(db));
  const wanted = lookUps(words);
  const [index, namedRows] = await together([
    readIndex(db, wanted.terms, wanted.prefixes, budget),
    findNamed(db, forms, types, NAMED_PARTS),
  ]);
  const named: ReadQuestion["named"] = new Map();
  for (const { word, entityId, number } of namedRows) {
    const entry = named.get(word) ?? { entityIds: new Set(), parts: 0, numbers: [] };
    entry.entityIds.add(entityId);
    entry.parts++;
    if (number !== null) entry.numbers.push(number);
    named.set(word, entry);
  }
  const waiting = countWaiting(index.waiting, wanted);
  const countOf = (term: string) => (index.terms.get(term)?.parts ?? 0) + (waiting.get(term) ?? 0);
  const parts = index.totals.parts + index.waiting.length;
  const length = index.waiting.reduce((sum, part) => sum + part.length, index.totals.length);
  const statistics = { parts, averageLength: parts === 0 ? 1 : length / parts };
  return { words, named, index, statistics, countOf, present: new Set([...index.terms.keys(), ...waiting.keys()]) };
}

/**
 * For words that are nowhere in the workspace: the most frequent word that is a typing error away, by the form asked. A word of
 * the thesaurus is right as it is.
 */
async function correct(db: Db, { words, named, index, countOf }: ReadQuestion): Promise<Map<string, string>> {
  const unknown = words
    .filter(
      ({ form, term, compound, related }) =>
        !compound &&
        related.synonyms.length === 0 &&
        related.forms.length === 0 &&
        countOf(term) === 0 &&
        !named.has(form) &&
        isCorrectable(form),
    )
    .slice(0, CORRECTIONS);
  const corrected = new Map<string, string>();
  if (unknown.length === 0) return corrected;
  const neighbours = new Map(unknown.map(({ form }) => [form, neighboursOf(form)]));
  const waiting = new Map<string, number>();
  for (const { pending } of index.waiting) {
    for (const [term] of readTerms(pending)) waiting.set(term, (waiting.get(term) ?? 0) + 1);
  }
  const rows = await findKnown(db, [...new Set([...neighbours.values()].flat())]);
  const relatedByWord = new Map(
    rows.map((row) => [row.form, (row.parts ?? 0) + (waiting.get(row.term) ?? 0) + (row.named ? 1 : 0)]),
  );
  for (const [form, candidates] of neighbours) {
    const best = candidates.reduce((a, b) => ((relatedByWord.get(b) ?? 0) > (relatedByWord.get(a) ?? 0) ? b : a), "");
    if ((relatedByWord.get(best) ?? 0) > 0) corrected.set(form, best);
  }
  return corrected;
}
