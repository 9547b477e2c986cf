import type { Rule } from "#lib/domain/crm/scores/contract.ts";
import {
  type Features,
  type FeatureValue,
  type ScoreResult,
  type Scorer,
  wordsOfValue,
} from "#lib/domain/crm/scores/service.ts";

/** A change of one feature: what it is now, and what it would have to be. */
export type PathChange = { feature: string; from: string; to: string; known: boolean };

/** Stands for a value that is none of those that rules name. */
const OTHER = "⁂";

/** Features that are tried together: the best of them. */
const MOST_TRIED = 12;
const MOST_CHANGES = 3;

type Candidate = { value: FeatureValue; words: string };
type Option = { feature: string; candidate: Candidate; known: boolean; from: string; gain: number };

/**
 * The fewest changes of features, three at most, with which the score is `target` or more, each tried by scoring again.
 * Of equally few those that need only finding out come first, then those that give the highest score.
 */
export function pathTo(
  scorer: Scorer,
  features: Features,
  target: number,
): { changes: PathChange[]; score: number } | null {
  const options = optionsOf(scorer, features);
  for (let size = 1; size <= MOST_CHANGES; size++) {
    let best: { chosen: readonly Option[]; score: number; unknown: number } | null = null;
    for (const chosen of subsets(options, size)) {
      const score = scoreWith(scorer, features, chosen)?.score ?? 0;
      if (score < target) continue;
      const unknown = chosen.filter(({ known }) => !known).length;
      if (!best || unknown > best.unknown || (unknown === best.unknown && score > best.score))
        best = { chosen, score, unknown };
    }
    if (best)
      return {
        score: best.score,
        changes: best.chosen.map(({ feature, from, candidate, known }) => ({
          feature,
          from,
          to: candidate.words,
          known,
        })),
      };
  }
  return null;
}

/** For each feature of the model the value that would help most; features that cannot help are left out. */
function optionsOf(scorer: Scorer, features: Features): Option[] {
  const before = worthOf(scorer.score(features));
  const names = [...new Set(scorer.signals.map(({ rule }) => rule.feature))];
  return names
    .flatMap((feature): Option[] => {
      const value = features(feature);
      const candidates = scorer.signals.flatMap(({ rule }) =>
        rule.feature === feature ? candidatesOf(rule, value) : [],
      );
      const tried = candidates.map((candidate) => ({
        candidate,
        gain: worthOf(scoreWith(scorer, features, [{ feature, candidate }])) - before,
      }));
      const best = tried.reduce<(typeof tried)[number] | null>(
        (top, one) => (!top || one.gain > top.gain ? one : top),
        null,
      );
      if (!best || best.gain <= 0) return [];
      return [{ feature, ...best, known: value !== null, from: wordsOfValue(value) }];
    })
    .sort((a, b) => b.gain - a.gain || (a.feature < b.feature ? -1 : 1))
    .slice(0, MOST_TRIED);
}

/** The sum of a score's points; one that is ruled out is worth less than any that is not. */
const worthOf = (scored: ScoreResult | null): number =>
  scored === null
    ? 0
    : scored.points.reduce<number>((sum, points) => sum + (points ?? 0), 0) -
      (scored.disqualified === null ? 0 : 10_000_000);

function scoreWith(
  scorer: Scorer,
  features: Features,
  changed: readonly Pick<Option, "feature" | "candidate">[],
): ScoreResult | null {
  const changedValues = new Map(changed.map(({ feature, candidate }) => [feature, candidate.value]));
  return scorer.score((name) => changedValues.get(name) ?? features(name));
}

/** Values with which a rule is met, and with which it is not. */
function candidatesOf({ op, value }: Rule, current: FeatureValue | null): Candidate[] {
  const each = (Array.isArray(value) ? value : [value]) as (string | number | boolean)[];
  const asFound = (one: string | number | boolean): FeatureValue =>
    typeof one === "string" && (typeof current === "object" || current === null) ? [one] : one;
  const other: Candidate = { value: OTHER, words: `something other than ${each.slice(0, 3).join(", ")}` };
  switch (op) {
    case "in":
    case "==":
    case "contains_any":
      return [...each.map((one) => ({ value: asFound(one), words: wordsOfValue(one) })), other];
    case "!=":
      return [other];
    case "exists":
      return value === false ? [] : [{ value: OTHER, words: "known" }];
    case "between":
    case "scaled":
      return each.map((limit) => ({ value: limit, words: wordsOfValue(limit) }));
    default: {
      const limit = value as number;
      return [limit, limit + 1, limit - 1].map((number) => ({ value: number, words: wordsOfValue(number) }));
    }
  }
}

function* subsets<T>(items: readonly T[], size: number, from = 0): Generator<T[]> {
  if (size === 0) yield [];
  else
    for (let index = from; index <= items.length - size; index++)
      for (const rest of subsets(items, size - 1, index + 1)) yield [items[index] as T, ...rest];
}
