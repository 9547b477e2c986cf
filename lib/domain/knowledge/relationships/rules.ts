import { DAY_MS } from "#lib/text/time.ts";
import { type Closeness, HALF_LIFE_DAYS, WEIGHED_AT } from "./words.ts";

/** What a member did, and what came back: sums of weights as of `WEIGHED_AT`. */
export type WeightSums = { given: number; got: number };

/** With so much, a relationship is half as strong as one can be. */
const HALF = 10;
/** Who only writes counts as if this much had come back. */
const UNANSWERED = 1;

const FROM = { strong: 60, medium: 25 } as const;

/** What weighed 1 on the day of `WEIGHED_AT` weighs so much now. */
const remains = (now: Date): number => 2 ** ((Date.parse(WEIGHED_AT) - +now) / (HALF_LIFE_DAYS * DAY_MS));

/**
 * How strong a relationship is, from 0 to 100. What came back counts in full; what the member did counts up to what came back and one
 * more, so that a hundred mails without an answer are no relationship. Everything weighs half after 90 days.
 */
export function strengthOf({ given, got }: WeightSums, now: Date): number {
  const [did, came] = [given * remains(now), got * remains(now)];
  return Math.round(100 * (1 - 2 ** (-(came + Math.min(did, came + UNANSWERED)) / HALF)));
}

export const closenessOf = (strength: number): Closeness =>
  strength >= FROM.strong ? "strong" : strength >= FROM.medium ? "medium" : "weak";

/** The latest of some moments. */
export const latestOf = (...times: readonly (Date | null)[]): Date =>
  new Date(Math.max(...times.map((time) => (time === null ? 0 : +time))));
