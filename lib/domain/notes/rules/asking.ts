import { hashOf, type Lexeme } from "./lexemes.ts";
import { type AskedWord, beginningsOf, isPrefix } from "./question.ts";
import type { AskedTerm } from "./ranking.ts";
import { idfOf, type Statistics } from "./statistics.ts";
import { unpackStream } from "./word-stream.ts";

/** A word of the question with its stem. A corrected word is not the form that was asked. */
export type StemmedWord = AskedWord & { term: string; mark: number; corrected: boolean };

/** Words with their stems in order, each stem once, stop words left out. */
export function stemWords(
  words: readonly (AskedWord & { corrected?: boolean })[],
  lexemes: ReadonlyMap<string, Lexeme>,
): StemmedWord[] {
  const byTerm = new Map<string, StemmedWord>();
  for (const { form, compound, corrected = false } of words) {
    const { term = null, mark = 0 } = lexemes.get(form) ?? {};
    if (term !== null && !byTerm.has(term))
      byTerm.set(term, { form, compound, term, mark: corrected ? -1 : mark, corrected });
  }
  return [...byTerm.values()];
}

/** The terms to look up for some words: the words and their own beginnings, and prefixes for longer terms. */
export function lookUps(words: readonly StemmedWord[]): { terms: string[]; prefixes: string[] } {
  const terms = words.flatMap(({ term }) => [term, ...beginningsOf(term)]);
  const prefixes = words.filter(({ compound, term }) => !compound && isPrefix(term)).map(({ term }) => term);
  return { terms: [...new Set(terms)], prefixes };
}

/** How many of the waiting parts contain each looked-up term, and each longer term found on the way. */
export function countWaiting(
  waiting: readonly { words: Buffer; pending: string }[],
  { terms, prefixes }: { terms: readonly string[]; prefixes: readonly string[] },
): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (term: string) => counts.set(term, (counts.get(term) ?? 0) + 1);
  const byHash = new Map(terms.map((term) => [hashOf(term), term]));
  for (const { words, pending } of waiting) {
    const here = new Set<string>();
    for (const hash of unpackStream(words).hashes) {
      const term = byHash.get(hash);
      if (term !== undefined) here.add(term);
    }
    for (const prefix of prefixes) for (const term of longerTerms(pending, prefix)) here.add(term);
    for (const term of here) add(term);
  }
  return counts;
}

function* longerTerms(pending: string, prefix: string): Generator<string> {
  const start = `\n${prefix}`;
  for (let at = pending.indexOf(start); at >= 0; at = pending.indexOf(start, at + 1)) {
    const term = pending.slice(at + 1, pending.indexOf(" ", at + 1));
    if (term !== prefix) yield term;
  }
}

/** How many longer terms count for each term of the question that they begin with: the first in alphabetical order. */
export const MOST_VARIANTS = 12;

/** The weight of a longer or shorter word relative to the word asked for; higher when no note contains that word. */
const VARIANT = 0.35;
const VARIANT_OF_UNKNOWN = 0.7;

export type RankedTerm = AskedTerm & { word: StemmedWord; variantTerms: { term: string; weight: number }[] };

/**
 * The terms to rank by. `countOf` gives the number of parts that contain a term (names included), `present` lists the
 * terms that were found. A word found nowhere is left out unless it is the beginning or the longer form of one that was
 * found.
 */
export function rankedTerms(
  words: readonly StemmedWord[],
  present: Iterable<string>,
  countOf: (term: string) => number,
  nameCountOf: (form: string) => number,
  statistics: Statistics,
): RankedTerm[] {
  const all = [...present].sort((a, b) => (a < b ? -1 : 1));
  return words.map((word) => {
    const { term, form, mark } = word;
    const count = countOf(term);
    const named = nameCountOf(form);
    const beginnings = new Set(beginningsOf(term));
    const shorter = all.filter((other) => beginnings.has(other));
    const longer = isPrefix(term) ? all.filter((other) => other !== term && other.startsWith(term)) : [];
    const near = word.compound ? [] : [...shorter, ...longer.slice(0, MOST_VARIANTS)];
    const weight = count === 0 && named === 0 ? VARIANT_OF_UNKNOWN : VARIANT;
    const known =
      count > 0 || named > 0 ? Math.max(count, named) : near.reduce((sum, other) => sum + countOf(other), 0);
    const variantTerms = near.map((other) => ({ term: other, weight }));
    const variants = variantTerms.map((variant) => ({ hash: hashOf(variant.term), weight }));
    return { word, hash: hashOf(term), mark, idf: idfOf(known, statistics), variants, variantTerms };
  });
}
