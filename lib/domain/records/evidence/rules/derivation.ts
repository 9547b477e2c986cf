import { canonicalJson } from "#lib/core/json.ts";
import { DAY_MS } from "#lib/text/time.ts";

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
  ended: {
    at: Date;
    recordedAt: Date;
    /** the observation that ended it first */
    by: string;
    causedBy: string | null;
    method: Method;
    source: string;
  } | null;
};

/** What was asserted yields to an observation made so long after it was last asserted or confirmed. */
export const ASSERTED_HOLDS_MS = 90 * DAY_MS;

/**
 * The one derivation. `evidence` holds observations of a single property of a single entity in the order they were
 * learned. Rules:
 * 1. Only states make belief; events make timelines.
 * 2. States are ordered by when they were true, then by when they were learned, and each is weighed against what is
 *    believed so far. `null` is a value like any other: it says that there is none. A `null` with nothing to end is left out.
 * 3. What agrees confirms the belief, and the strongest method among all that agree is the belief's. What differs takes its
 *    place when it is at least as strong, when it was `observed` 90 days or more after an `asserted` value was last
 *    asserted or confirmed (a guess confirms nothing), or when it follows a `null` that was not asserted.
 * 4. What differs and does not take its place is a conflict, the latest one of each source, until evidence that agrees and
 *    is at least as strong comes after it.
 * 5. A state whose cause is another state on the property withdraws that one: neither counts.
 * So evidence that agrees with a belief while it is held never lowers its confidence, and the moment of reading plays no
 * part.
 * Returns null when no state ever had a value.
 */
export function deriveBelief(evidence: readonly Evidence[]): Belief | null {
  const states = notWithdrawn(evidence.filter((item) => item.kind === "state"));
  // What was true at the same moment stays in the order it was learned: sorting is stable.
  states.sort((a, b) => a.observedAt.getTime() - b.observedAt.getTime());
  let run: Run | null = null;
  for (const state of states) run = weigh(run, state);
  return run && beliefOf(run);
}

/** Without what was withdrawn, and without what withdrew it: see rule 5. */
export function notWithdrawn<E extends Evidence>(states: E[]): E[] {
  const causes = new Set(states.flatMap(({ causedBy }) => causedBy ?? []));
  const withdrawn = new Set(causes.size === 0 ? [] : states.flatMap(({ id }) => (causes.has(id) ? id : [])));
  if (withdrawn.size === 0) return states;
  return states.filter(({ id, causedBy }) => !withdrawn.has(id) && (causedBy === null || !withdrawn.has(causedBy)));
}

/** A value while it is believed. */
type Run = {
  value: unknown;
  text: string;
  /** the strongest of its support */
  method: Method;
  /** what says it, oldest first */
  support: Evidence[];
  /** when it was last said by other than a guess; until then, when it began */
  confirmedAt: number;
  /** what disagrees and is not answered yet, oldest first */
  against: Evidence[];
  before: Run | null;
};

function weigh(run: Run | null, item: Evidence): Run | null {
  const text = canonicalJson(item.value);
  if (run?.text === text) {
    run.support.push(item);
    if (strength(item.method) > strength(run.method)) run.method = item.method;
    if (item.method !== "inferred") run.confirmedAt = item.observedAt.getTime();
    run.against = run.against.filter(
      ({ source, method }) => source !== item.source && strength(method) > strength(item.method),
    );
    return run;
  }
  if (run ? takesThePlaceOf(run, item) : item.value !== null) {
    const { value, method, observedAt } = item;
    return { value, text, method, support: [item], confirmedAt: observedAt.getTime(), against: [], before: run };
  }
  if (run) run.against = [...run.against.filter(({ source }) => source !== item.source), item];
  return run;
}

const strength = (method: Method): number => -methods.indexOf(method);

const takesThePlaceOf = (run: Run, { method, observedAt }: Evidence): boolean =>
  strength(method) >= strength(run.method) ||
  (run.method === "asserted"
    ? method === "observed" && observedAt.getTime() - run.confirmedAt >= ASSERTED_HOLDS_MS
    : run.value === null);

function beliefOf(run: Run): Belief {
  const [end] = run.support as [Evidence, ...Evidence[]];
  const ended = run.value !== null ? null : { ...endOf(end), method: run.method, source: end.source };
  // What a null ended had a value: nothing else lets a run with null begin.
  const { value, method, support } = ended === null ? run : (run.before as Run);
  const first = support.find((item) => item.method === method) as Evidence;
  return {
    value,
    method,
    source: first.source,
    observationId: first.id,
    support: support.map(({ id }) => id),
    sourceCount: new Set(support.map(({ source }) => source)).size,
    recordedAt: first.recordedAt,
    lastObservedAt: (support.at(-1) as Evidence).observedAt,
    conflicts: run.against.map(({ value, source, method, id, observedAt }) => ({
      value,
      source,
      method,
      observation_id: id,
      observed_at: observedAt.toISOString(),
    })),
    ended,
  };
}

const endOf = ({ observedAt, recordedAt, id, causedBy }: Evidence) => ({
  at: observedAt,
  recordedAt,
  by: id,
  causedBy,
});

/** What was true at `asOf`, as far as we knew at `knownAt`. */
export const evidenceAt = <E extends Evidence>(evidence: readonly E[], asOf: Date | null, knownAt: Date | null): E[] =>
  evidence.filter((item) => (!asOf || item.observedAt <= asOf) && (!knownAt || item.recordedAt <= knownAt));

export type Freshness = "fresh" | "aging" | "suspect" | "expired";

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
  const agreed = 1 - (1 - base) * 0.6 ** (belief.sourceCount - 1);
  const ageDays = Math.max(0, (now.getTime() - belief.lastObservedAt.getTime()) / DAY_MS);
  const confidence = agreed * 0.5 ** (ageDays / halfLifeDays) * 0.85 ** belief.conflicts.length;
  return Math.round(confidence * 100) / 100;
}
