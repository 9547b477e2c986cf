import { type Statistics, saturate } from "./statistics.ts";
import { NOWHERE, type WordStream } from "./word-stream.ts";

/** A term of the question, as notes are ranked by it. */
export type AskedTerm = {
  /** hash of the stem */
  hash: number;
  /** mark of the form that was asked; -1 when the word was corrected */
  mark: number;
  idf: number;
  /** other stems that count for it, less: words it begins, or that begin it */
  variants: readonly { hash: number; weight: number }[];
};

/** What is added to BM25 over the whole part, per unit of idf. Chosen on the tuning questions of bench/notes, never on the held-out ones. */
export type Weights = {
  passage: number;
  pair: number;
  title: number;
  exact: number;
  name: number;
  span: number;
  /** times the worth of a name, for the one who spoke by the question */
  speaker: number;
};
export const WEIGHTS: Weights = {
  passage: 0.6,
  pair: 0.5,
  title: 0.15,
  exact: 0.25,
  name: 1.3,
  span: 1.2,
  speaker: 1.3,
};

/** Two sentences, or a turn and its answer. */
const PASSAGE_SENTENCES = 2;
const AVERAGE_PASSAGE = 14;

const NONE: ReadonlySet<number> = new Set();

export type PreparedTerms = {
  terms: readonly AskedTerm[];
  byHash: ReadonlyMap<number, { term: number; weight: number }>;
};

/** A question ready to be compared with many parts. A stem that is itself asked for is not a variant of another. */
export function prepare(terms: readonly AskedTerm[]): PreparedTerms {
  const byHash = new Map<number, { term: number; weight: number }>();
  for (const [term, { hash }] of terms.entries()) if (!byHash.has(hash)) byHash.set(hash, { term, weight: 1 });
  for (const [term, { variants }] of terms.entries()) {
    for (const { hash, weight } of variants) if (!byHash.has(hash)) byHash.set(hash, { term, weight });
  }
  return { terms, byHash };
}

/** `passage`: the sentence the best passage begins with, -1 when no word was found. */
export type Score = { score: number; passage: number; found: readonly number[] };

type Hit = { term: number; weight: number; at: number; sentence: number };

/**
 * How well a part answers, by raw scores added up: BM25 of the whole part, its best passage, neighbouring words of the
 * question that are neighbours here, words in the title, and exact forms. A term counts as much as the best word found for it, so
 * many synonyms do not make up for the word itself. `given` are the terms that the note is known to be about (the name of its person,
 * its month), which need not be in a passage. `found[i]` is how often term i occurs there.
 */
export function scorePart(
  asked: PreparedTerms,
  stream: WordStream,
  length: number,
  statistics: Statistics,
  weights = WEIGHTS,
  required: ReadonlySet<number> = NONE,
): Score {
  const counts = new Array<number>(asked.terms.length).fill(0);
  const strongest = new Array<number>(asked.terms.length).fill(0);
  const exact = new Array<boolean>(asked.terms.length).fill(false);
  const titled = new Array<number>(asked.terms.length).fill(0);
  const hits: Hit[] = [];
  const { hashes, marks, ends, starts } = stream;
  let sentence = 0;
  for (let at = 0; at < hashes.length; at++) {
    const hit = asked.byHash.get(hashes[at] as number);
    if (hit === undefined) continue;
    while (at >= (ends[sentence] as number)) sentence++;
    counts[hit.term] = (counts[hit.term] as number) + hit.weight;
    strongest[hit.term] = Math.max(strongest[hit.term] as number, hit.weight);
    if (starts[sentence] === NOWHERE) titled[hit.term] = Math.max(titled[hit.term] as number, hit.weight);
    if (hit.weight === 1 && marks[at] === asked.terms[hit.term]?.mark) exact[hit.term] = true;
    hits.push({ ...hit, at, sentence });
  }
  if (hits.length === 0) return { score: 0, passage: -1, found: counts };
  let score = 0;
  for (const [index, { idf }] of asked.terms.entries()) {
    const strength = strongest[index] as number;
    if (strength === 0) continue;
    const often = strength * saturate((counts[index] as number) / strength, length, statistics);
    score += idf * (often + (exact[index] ? weights.exact : 0) + weights.title * (titled[index] as number));
  }
  const passage = bestPassage(asked, stream, hits, required);
  return {
    score: score + weights.passage * passage.score + weights.pair * pairScore(asked, hits),
    passage: passage.sentence,
    found: counts,
  };
}

/** The window of neighbouring sentences that holds most of the question, shorter ones first; what is given is in all of them. */
function bestPassage(
  { terms }: PreparedTerms,
  { ends }: WordStream,
  hits: readonly Hit[],
  required: ReadonlySet<number>,
): { score: number; sentence: number } {
  const whole = terms.reduce((sum, { idf }) => sum + idf, 0);
  let best = { score: 0, sentence: -1 };
  for (let first = 0; first < hits.length; first++) {
    const { sentence } = hits[first] as Hit;
    if (first > 0 && hits[first - 1]?.sentence === sentence) continue;
    const here = new Map<number, number>();
    let last = sentence;
    for (let index = first; index < hits.length; index++) {
      const hit = hits[index] as Hit;
      if (hit.sentence >= sentence + PASSAGE_SENTENCES) break;
      here.set(hit.term, Math.max(here.get(hit.term) ?? 0, hit.weight));
      last = hit.sentence;
    }
    const length = (ends[last] as number) - (sentence === 0 ? 0 : (ends[sentence - 1] as number));
    let score = 0;
    for (const [term, weight] of here) score += (terms[term]?.idf ?? 0) * weight;
    let has = score;
    for (const term of required) has += (terms[term]?.idf ?? 0) * (1 - (here.get(term) ?? 0));
    score *= ((has / whole) * 2) / (1.5 + (0.5 * length) / AVERAGE_PASSAGE);
    if (score > best.score) best = { score, sentence };
  }
  return best;
}

/**
 * Neighbours in the question that are next to each other here: in the same order full, in the other order or one word
 * apart half.
 */
function pairScore({ terms }: PreparedTerms, hits: readonly Hit[]): number {
  const best = new Map<number, number>();
  for (const [index, hit] of hits.entries()) {
    for (let next = index + 1; next < hits.length; next++) {
      const other = hits[next] as Hit;
      const distance = other.at - hit.at;
      if (distance > 2 || other.sentence !== hit.sentence) break;
      const step = other.term - hit.term;
      if (Math.abs(step) !== 1) continue;
      const pair = Math.min(hit.term, other.term);
      const worth = (step === 1 && distance === 1 ? 1 : 0.5) * hit.weight * other.weight;
      best.set(pair, Math.max(best.get(pair) ?? 0, worth));
    }
  }
  let score = 0;
  for (const [pair, worth] of best) score += (worth * ((terms[pair]?.idf ?? 0) + (terms[pair + 1]?.idf ?? 0))) / 2;
  return score;
}
