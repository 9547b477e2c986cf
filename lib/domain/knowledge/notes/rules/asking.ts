import { hashOf, type Lexeme } from "./lexemes.ts";
import { type AskedWord, beginningsOf, isPrefix } from "./question.ts";
import type { AskedTerm } from "./ranking.ts";
import { idfOf, type Statistics } from "./statistics.ts";
import type { RelatedStems } from "./thesaurus.ts";
import { familyOf, isDerived } from "./word-families.ts";
import { unpackStream } from "./word-stream.ts";

/** A word of the question with its stem. A corrected word is not the form that was asked. */
export type StemmedWord = AskedWord & { term: string; mark: number; corrected: boolean; related: RelatedStems };

const ALONE: RelatedStems = { forms: [], synonyms: [] };

/** Words with their stems in order, each stem once, stop words left out. `related`: by stem. */
export function stemWords(
  words: readonly (AskedWord & { corrected?: boolean })[],
  lexemes: ReadonlyMap<string, Lexeme>,
  related: ReadonlyMap<string, RelatedStems>,
): StemmedWord[] {
  const byTerm = new Map<string, StemmedWord>();
  for (const { form, compound, corrected = false } of words) {
    const { term = null, mark = 0 } = lexemes.get(form) ?? {};
    if (term !== null && !byTerm.has(term))
      byTerm.set(term, {
        form,
        compound,
        term,
        mark: corrected ? -1 : mark,
        corrected,
        related: related.get(term) ?? ALONE,
      });
  }
  return [...byTerm.values()];
}

/** The terms to look up for some words: the words, their own beginnings, families and synonyms, and prefixes for longer terms. */
export function lookUps(words: readonly StemmedWord[]): { terms: string[]; prefixes: string[] } {
  const terms = words.flatMap(({ term, related: { forms, synonyms } }) => [
    term,
    ...beginningsOf(term),
    ...familyOf(term),
    ...forms,
    ...synonyms,
  ]);
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

/**
 * What a found word counts relative to the word asked for: another form of an irregular word, a longer or shorter word, a synonym. The
 * last two count more when no note contains the word itself. `asking` is what words of asking count. Chosen on the tuning questions of
 * bench/notes.
 */
export const NEARNESS = {
  form: 0.8,
  family: 0.6,
  variant: 0.3,
  variantOfUnknown: 0.7,
  synonym: 0.6,
  synonymOfUnknown: 1,
  asking: 0.5,
};

/** Words of asking, which say little about the note that is looked for. The stemmer has left out those that say nothing. */
const ASKING = new Set(
  "many much would could may might must shall us let say says said tell told mention mentioned happen happened happening want wants wanted get got getting give given know knew think thought talk talked discuss discussed regarding concerning exactly actually currently really ever yet please find show still anything something somebody anybody someone anyone everything thing things way kind sort long far often need needs needed use uses used".split(
    " ",
  ),
);

export type RankedTerm = AskedTerm & {
  word: StemmedWord;
  variantTerms: { term: string; weight: number }[];
  /** how distinctive the word is as a name */
  nameIdf: number;
};

/**
 * The terms to rank by. `countOf` gives the number of parts that contain a term (names included), `present` lists the
 * terms that were found. A word found nowhere is left out unless it is the beginning or the longer form of one that was
 * found, or means the same. A synonym is worth no more than its own rarity, whatever the word it stands for.
 */
export function rankedTerms(
  words: readonly StemmedWord[],
  present: Iterable<string>,
  countOf: (term: string) => number,
  nameCountOf: (form: string) => number,
  statistics: Statistics,
  dating: ReadonlySet<string> = new Set(),
): RankedTerm[] {
  const all = [...present].sort((a, b) => (a < b ? -1 : 1));
  return words.map((word) => {
    const { term, form, mark } = word;
    const named = nameCountOf(form);
    const forms = word.related.forms.filter((other) => countOf(other) > 0);
    const own = Math.max(countOf(term), named, ...forms.map(countOf));
    const beginnings = new Set(beginningsOf(term));
    const family = familyOf(term).filter((other) => countOf(other) > 0);
    const shorter = all.filter((other) => beginnings.has(other));
    const longer = isPrefix(term) ? all.filter((other) => other !== term && other.startsWith(term)) : [];
    const allForms = new Set([...word.related.forms, ...word.related.synonyms, ...family]);
    const near = (word.compound ? [] : [...shorter, ...longer.slice(0, MOST_VARIANTS)]).filter(
      (other) => !allForms.has(other),
    );
    const kin = [...family, ...near.filter((other) => isDerived(term, other))];
    const synonyms = word.related.synonyms.filter((other) => countOf(other) > 0);
    const rarest = Math.min(...synonyms.map(countOf));
    const similar = [...new Set([...kin, ...near])].reduce((sum, other) => sum + countOf(other), 0);
    const idf =
      (ASKING.has(form) || dating.has(form) ? NEARNESS.asking : 1) *
      idfOf(own || similar || (Number.isFinite(rarest) ? rarest : 0), statistics);
    const weight = own === 0 ? NEARNESS.variantOfUnknown : NEARNESS.variant;
    const meant = own === 0 ? NEARNESS.synonymOfUnknown : NEARNESS.synonym;
    const variantTerms = [
      ...forms.map((other) => ({ term: other, weight: NEARNESS.form })),
      ...kin.map((other) => ({ term: other, weight: Math.max(weight, NEARNESS.family) })),
      ...near.filter((other) => !kin.includes(other)).map((other) => ({ term: other, weight })),
      ...synonyms
        .filter((other) => !kin.includes(other))
        .map((other) => ({
          term: other,
          weight: meant * Math.min(1, idfOf(countOf(other), statistics) / idf),
        })),
    ];
    const variants = variantTerms.map((variant) => ({ hash: hashOf(variant.term), weight: variant.weight }));
    return { word, hash: hashOf(term), mark, idf, nameIdf: idfOf(named, statistics), variants, variantTerms };
  });
}
