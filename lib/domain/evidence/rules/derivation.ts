import { canonicalJson } from "#lib/core/json.ts";
import { DAY_MS } from "#lib/core/time.ts";

export const methods = ["asserted", "observed", "inferred"] as const;
/** How we know, strongest first. */
export type Method = (typeof methods)[number];

/** One immutable observation, as the derivation reads it. */
export type Evidence = {
  id: string;
  kind: "event" | "state";
  property: string;
  value: unknown;
  source: string;
  method: Method;
  /** when it was true */
  observedAt: Date;
  /** when we learned it */
  recordedAt: Date;
  causedBy: string | null;
};

export type Conflict = { value: unknown; source: string; method: Method; observation_id: string; observed_at: string };

/** The belief about one property, independent of when it is read: what the claims table stores. */
export type Belief = {
  /** the last value that was not null */
  value: unknown;
  method: Method;
  source: string;
  /** the observation that first said this value in its present run */
  observationId: string;
  /** ids of all observations that say it, oldest first */
  support: string[];
  sourceCount: number;
  recordedAt: Date;
  lastObservedAt: Date;
  conflicts: Conflict[];
  /** null while the belief is current */
  ended: { at: Date; recordedAt: Date; by: string; causedBy: string | null } | null;
};

/**
 * The one derivation. `evidence` holds observations of a single property of a single entity in the order they were
 * learned. Rules:
 * 1. Only states make belief; events make timelines.
 * 2. States are ordered by when they were true, then by when they were learned.
 * 3. Per method, strongest first, the latest state wins; a weaker method is asked only about the time after a stronger
 *    one said `null` (the fact ended) or said nothing at all. So weaker evidence never displaces an assertion.
 * 4. What disagrees with the winner and is newer is a conflict, the latest one of each source, until evidence that agrees
 *    and is at least as strong comes after it.
 * So evidence that agrees with a belief never lowers its confidence.
 * Returns null when no state ever had a value.
 */
export function deriveBelief(evidence: readonly Evidence[]): Belief | null {
  const states = evidence.filter((item) => item.kind === "state");
  const order = states.map((_, index) => index).sort((a, b) => at(states, a) - at(states, b) || a - b);
  const ordered = order.map((index) => states[index] as Evidence);
  const { winner, ending } = findWinner(ordered);
  if (winner >= 0) return describe(ordered, winner, null);
  const last = ordered.findLastIndex((item, index) => index < ending && item.value !== null);
  if (last < 0) return null;
  const end = ordered[ending] as Evidence;
  return describe(ordered, last, {
    at: end.observedAt,
    recordedAt: end.recordedAt,
    by: end.id,
    causedBy: end.causedBy,
  });
}

const at = (states: readonly Evidence[], index: number): number => (states[index] as Evidence).observedAt.getTime();

function findWinner(ordered: readonly Evidence[]): { winner: number; ending: number } {
  let ending = -1;
  for (const method of methods) {
    const latest = ordered.findLastIndex((item, index) => item.method === method && index > ending);
    if (latest < 0) continue;
    if ((ordered[latest] as Evidence).value !== null) return { winner: latest, ending };
    ending = latest;
  }
  return { winner: -1, ending };
}

const strength = (item: Evidence | undefined): number => -methods.indexOf(item?.method ?? "inferred");

function describe(ordered: readonly Evidence[], winner: number, ended: Belief["ended"]): Belief {
  const belief = ordered[winner] as Evidence;
  const text = canonicalJson(belief.value);
  const same = ordered.map((item) => canonicalJson(item.value) === text);
  const start = startOfRun(ordered, winner, same);
  const run = ordered.filter((_, index) => index >= start && same[index]);
  const supporters = ended ? run.filter((item) => item.observedAt <= ended.at) : run;
  const first = supporters.find((item) => item.method === belief.method) ?? belief;
  return {
    value: belief.value,
    method: belief.method,
    source: first.source,
    observationId: first.id,
    support: supporters.map((item) => item.id),
    sourceCount: new Set(supporters.map((item) => item.source)).size,
    recordedAt: first.recordedAt,
    lastObservedAt: supporters.reduce(
      (latest, item) => (item.observedAt > latest ? item.observedAt : latest),
      first.observedAt,
    ),
    conflicts: ended ? [] : findConflicts(ordered, winner, same),
    ended,
  };
}

/** Where the latest run of the value began: agreement counts back to the last contradiction that was as strong. */
function startOfRun(ordered: readonly Evidence[], winner: number, same: readonly boolean[]): number {
  let start = winner;
  let contradiction = Number.NEGATIVE_INFINITY;
  for (let index = winner - 1; index >= 0 && contradiction < strength(ordered[winner]); index--) {
    if (!same[index]) contradiction = Math.max(contradiction, strength(ordered[index]));
    else if (strength(ordered[index]) > contradiction) {
      start = index;
      contradiction = Number.NEGATIVE_INFINITY; // what came after this was too weak to end the run
    }
  }
  return start;
}

/** Read from newest to oldest: the first state met from a source is its latest. Oldest conflict first. */
function findConflicts(ordered: readonly Evidence[], winner: number, same: readonly boolean[]): Conflict[] {
  const conflicts: Conflict[] = [];
  const heard = new Set<string>();
  let agreement = Number.NEGATIVE_INFINITY;
  for (let index = ordered.length - 1; index > winner; index--) {
    const { value, source, method, id, observedAt } = ordered[index] as Evidence;
    if (same[index]) agreement = Math.max(agreement, strength(ordered[index]));
    else if (!heard.has(source) && strength(ordered[index]) > agreement)
      conflicts.push({ value, source, method, observation_id: id, observed_at: observedAt.toISOString() });
    heard.add(source);
  }
  return conflicts.reverse();
}

/** What was true at `asOf`, as far as we knew at `knownAt`. */
export const evidenceAt = <E extends Evidence>(evidence: readonly E[], asOf: Date | null, knownAt: Date | null): E[] =>
  evidence.filter((item) => (!asOf || item.observedAt <= asOf) && (!knownAt || item.recordedAt <= knownAt));

const freshnessLevels = ["fresh", "aging", "suspect", "expired"] as const;
export type Freshness = (typeof freshnessLevels)[number];

/** `fresh` under 30 days since the last evidence, `aging` under 90, `suspect` under 180, else `expired`. */
export function freshnessAt(lastObservedAt: Date, now: Date): Freshness {
  const days = (now.getTime() - lastObservedAt.getTime()) / DAY_MS;
  return days < 30 ? "fresh" : days < 90 ? "aging" : days < 180 ? "suspect" : "expired";
}

const STRENGTH: Readonly<Record<Method, { base: number; halfLifeDays: number }>> = {
  asserted: { base: 0.95, halfLifeDays: 720 },
  observed: { base: 0.8, halfLifeDays: 360 },
  inferred: { base: 0.6, halfLifeDays: 180 },
};

/**
 * Confidence 0..1 in two decimals, at the moment of reading. It starts from the method, rises with every further
 * independent source (each removes 40 % of the remaining doubt), halves with age, and loses 15 % per conflict.
 */
export function confidenceAt(
  belief: { method: Method; sourceCount: number; lastObservedAt: Date; conflicts: { readonly length: number } },
  now: Date,
): number {
  const { base, halfLifeDays } = STRENGTH[belief.method];
  const agreed = 1 - (1 - base) * 0.6 ** Math.max(0, belief.sourceCount - 1);
  const ageDays = Math.max(0, (now.getTime() - belief.lastObservedAt.getTime()) / DAY_MS);
  const confidence = agreed * 0.5 ** (ageDays / halfLifeDays) * 0.85 ** belief.conflicts.length;
  return Math.round(confidence * 100) / 100;
}
