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

/** Members that a line names. */
const MOST_NAMED = 3;

type Acquaintance = { name: string | null; email: string; strength: number; lastAt: Date };

/** "Ada (strong, 3 days ago), Ben (weak, today)": the members given, the strongest first; null when there are none. */
export function knownByLine(known: readonly Acquaintance[], now: Date): string | null {
  if (known.length === 0) return null;
  const named = known
    .slice(0, MOST_NAMED)
    .map((one) => `${one.name ?? one.email} (${closenessOf(one.strength)}, ${ago(one.lastAt, now)})`);
  const more = known.length - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function ago(time: Date, now: Date): string {
  const days = Math.floor(+now / DAY_MS) - Math.floor(+time / DAY_MS);
  return days <= 0 ? "today" : days === 1 ? "yesterday" : `${days} days ago`;
}
