import {
  type Belief,
  type Conflict,
  confidenceAt,
  deriveBelief,
  type Evidence,
  evidenceAt,
  freshnessAt,
  type Method,
} from "#lib/domain/records/evidence/service.ts";
import { formatMinute } from "#lib/text/time.ts";

/** The time an account is read about. Confidence and freshness are calculated for `now`. */
export type Moment = { asOf: Date | null; knownAt: Date | null; now: Date };

export const momentOf = (input: { as_of?: Date | undefined; known_at?: Date | undefined }): Moment => ({
  asOf: input.as_of ?? null,
  knownAt: input.known_at ?? null,
  now: input.as_of ?? input.known_at ?? new Date(),
});

/** True when the projections cannot answer, because they hold only today's state. */
export const isPast = ({ asOf, knownAt }: Moment): boolean => asOf !== null || knownAt !== null;

/** A current belief, from the projection or derived for another moment. */
export type Claim = {
  property: string;
  value: unknown;
  method: Method;
  source: string;
  /** the observation that first said the present value */
  observationId: string;
  observationCount: number;
  sourceCount: number;
  lastObservedAt: Date;
  conflicts: readonly Conflict[];
};

/** What was believed at a moment, by property, from the evidence; what had ended is left out. */
export function claimsAt(evidence: readonly Evidence[], { asOf, knownAt }: Moment): Claim[] {
  const byProperty = Map.groupBy(evidenceAt(evidence, asOf, knownAt), (item) => item.property);
  return [...byProperty]
    .flatMap(([property, items]) => {
      const belief = deriveBelief(items);
      return belief && !belief.ended ? [claimOf(property, belief)] : [];
    })
    .sort((a, b) => (a.property < b.property ? -1 : 1));
}

const claimOf = (property: string, belief: Belief): Claim => ({
  property,
  value: belief.value,
  method: belief.method,
  source: belief.source,
  observationId: belief.observationId,
  observationCount: belief.support.length,
  sourceCount: belief.sourceCount,
  lastObservedAt: belief.lastObservedAt,
  conflicts: belief.conflicts,
});

/** The name of the company that a claim is about, for readers who see only its id. */
export const nameBeside = (
  { property, value }: Pick<Claim, "property" | "value">,
  employer: { id: string; name: string } | null,
): string | null => (property === "works_at" && employer !== null && value === employer.id ? employer.name : null);

export type Assessment = {
  value: unknown;
  confidence: number;
  freshness: ReturnType<typeof freshnessAt>;
};

/** How far a belief can be trusted; a fact that ended has confidence 0. */
export const assess = (
  belief: Pick<Claim, "value" | "method" | "sourceCount" | "lastObservedAt" | "conflicts">,
  ended: boolean,
  now: Date,
): Assessment => ({
  value: ended ? null : belief.value,
  confidence: ended ? 0 : confidenceAt(belief, now),
  freshness: freshnessAt(belief.lastObservedAt, now),
});

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** One to three sentences: what supports a belief, what speaks against it, and whether it is old. */
export function verdictOf(belief: Belief, now: Date): string {
  if (belief.ended)
    return `It ended on ${formatMinute(belief.ended.at)}: the latest evidence says that it is no longer so.`;
  const { support, sourceCount, lastObservedAt, conflicts } = belief;
  const sentences = [
    `${counted(support.length, "piece")} of evidence from ${counted(sourceCount, "source")} ${support.length === 1 ? "supports" : "support"} it, the latest on ${formatMinute(lastObservedAt)}.`,
  ];
  if (conflicts.length > 0)
    sentences.push(`${counted(conflicts.length, "source")} ${conflicts.length === 1 ? "says" : "say"} something else.`);
  const freshness = freshnessAt(lastObservedAt, now);
  if (freshness === "suspect" || freshness === "expired")
    sentences.push(
      `No one has confirmed it for ${freshness === "suspect" ? 90 : 180} days: ask before you rely on it.`,
    );
  return sentences.join(" ");
}

export type Standing = "current" | "conflicting" | "past";

/** How each state of one property relates to today's belief: supports it, disagrees with it, or came before it. */
export function standingsOf(states: readonly Evidence[]): ReadonlyMap<string, Standing> {
  const belief = deriveBelief(states);
  if (!belief) return new Map();
  const supporting = belief.ended ? [belief.ended.by] : belief.support;
  return new Map<string, Standing>([
    ...belief.conflicts.map((conflict) => [conflict.observation_id, "conflicting"] as const),
    ...supporting.map((id) => [id, "current"] as const),
  ]);
}
