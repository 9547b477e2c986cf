import { fold } from "#lib/text/fold.ts";
import type { Rule, Signal, Tier } from "../contract.ts";
import type { Features, FeatureValue } from "./features.ts";
import { occursIn, wordsOf } from "./text.ts";

/** A disqualifier that is met leaves at most this. */
const CAP = 15;

/** The sum at which the score is 73; the curve's width. */
const WIDTH = 8;

/** `points` in thousandths by signal, in the order of the model; null: its feature is not known. `disqualified`: the signal that does, the first by key. */
export type ScoreResult = { score: number; points: readonly (number | null)[]; disqualified: string | null };

/** A model that is ready to score many. */
export type Scorer = {
  signals: readonly Signal[];
  /** Null when no feature of the model is known, so that nothing can be said. */
  score(features: Features): ScoreResult | null;
};

export const tierOf = (score: number): Tier =>
  score >= 85 ? "tier_1" : score >= FIT ? "tier_2" : score >= 50 ? "tier_3" : "not_icp";

/** From this score up it is a fit. */
export const FIT = 70;

/**
 * Prepares a model. The sum is of whole thousandths, so that the order of the signals cannot change it, and a score is a
 * function of the signals and features alone.
 */
export function scorerOf(signals: readonly Signal[]): Scorer {
  const prepared = signals.map((signal) => ({
    signal,
    feature: signal.rule.feature,
    degree: degreeOf(signal.rule),
    thousandths: signal.weight * 1000,
    disqualifies: signal.rule.disqualify === true,
  }));
  return {
    signals,
    score(features) {
      let sum = 0;
      let knownPoints = 0;
      let disqualified: string | null = null;
      const points: (number | null)[] = [];
      for (const { signal, feature, degree, thousandths, disqualifies } of prepared) {
        const value = features(feature);
        const met = degree(value);
        if (value !== null) knownPoints += 1;
        if (met === null) {
          points.push(null);
          continue;
        }
        const shareOfPoints = Math.round(thousandths * met) || 0;
        sum += shareOfPoints;
        points.push(shareOfPoints);
        if (disqualifies && met > 0 && (disqualified === null || signal.key < disqualified)) disqualified = signal.key;
      }
      if (knownPoints === 0) return null;
      const score = Math.round(100 / (1 + Math.exp(-sum / 1000 / WIDTH)));
      return { score: disqualified === null ? score : Math.min(score, CAP), points, disqualified };
    },
  };
}

type Degree = (value: FeatureValue | null) => number | null;

/** How far a rule is met, 0 to 1; null when its feature is not known. */
export function degreeOf({ op, value }: Rule): Degree {
  if (op === "exists") {
    const wanted = value !== false;
    return (value) => ((value !== null) === wanted ? 1 : 0);
  }
  if (op === "scaled") {
    const [from, to] = value as [number, number];
    return numeric((number) => Math.min(1, Math.max(0, (number - from) / (to - from))));
  }
  if (op === "between") {
    const [least, most] = value as [number, number];
    return numeric((number) => (number >= least && number <= most ? 1 : 0));
  }
  if (op === ">=" || op === "<=" || op === ">" || op === "<") return numeric(comparison[op](value as number));
  if (op === "contains_any") {
    const phrases = (value as string[]).map(wordsOf);
    return ifKnown((value) => {
      const texts = (typeof value === "object" ? value : [String(value)]).map(wordsIn);
      return texts.some((words) => phrases.some((phrase) => occursIn(words, phrase)));
    });
  }
  const wanted = new Set((Array.isArray(value) ? value : [value]).map((item) => plain(item as string)));
  const isAny = (value: FeatureValue) =>
    typeof value === "object" ? value.some((item) => wanted.has(plain(item))) : wanted.has(plain(value));
  return op === "!=" ? ifKnown((value) => !isAny(value)) : ifKnown(isAny);
}

const comparison = {
  ">=": (limit: number) => (number: number) => (number >= limit ? 1 : 0),
  "<=": (limit: number) => (number: number) => (number <= limit ? 1 : 0),
  ">": (limit: number) => (number: number) => (number > limit ? 1 : 0),
  "<": (limit: number) => (number: number) => (number < limit ? 1 : 0),
} as const;

const ifKnown =
  (isMet: (value: FeatureValue) => boolean): Degree =>
  (value) =>
    value === null ? null : isMet(value) ? 1 : 0;

/** A rule about numbers; text that is a number counts as one, any other value does not meet it. */
const numeric =
  (degree: (number: number) => number): Degree =>
  (value) => {
    if (value === null) return null;
    const number = typeof value === "number" ? value : typeof value === "string" ? numberIn(value) : null;
    return number === null ? 0 : degree(number);
  };

/** Values of features repeat; what they are compared as is kept, up to a bound. */
const plainTexts = new Map<string, string>();
const wordTexts = new Map<string, string>();

const remember = (texts: Map<string, string>, read: (text: string) => string) => (text: string) => {
  let words = texts.get(text);
  if (words === undefined) {
    if (texts.size >= 20_000) texts.clear();
    words = read(text);
    texts.set(text, words);
  }
  return words;
};

const foldText = remember(plainTexts, fold);
const wordsIn = remember(wordTexts, wordsOf);

/** Equal for what people call equal: without case and accents, and a number like its text. */
const plain = (value: string | number | boolean): string => foldText(String(value));

/** The number that a text is, with separators of thousands or without; null for anything else. */
function numberIn(text: string): number | null {
  const plain = text.trim().replaceAll(/(?<=\d)[,'](?=\d{3}\b)/g, "");
  return /^-?\d{1,15}(\.\d{1,6})?$/.test(plain) ? Number(plain) : null;
}
