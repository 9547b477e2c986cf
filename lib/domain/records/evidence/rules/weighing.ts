import { canonicalJson } from "#lib/core/json.ts";
import { DAY_MS } from "#lib/text/time.ts";
import type { CurrentBelief } from "../contract.ts";
import type { NewClaim, NewEvidence } from "../queries.ts";
import { type Belief, confidenceAt, deriveBelief, type Evidence, type Method, notWithdrawn } from "./derivation.ts";
import { type FactValue, factOf, factProperty } from "./fact-values.ts";

/** An observation to be recorded, complete except for the time it is recorded at. */
export type Draft = {
  /** given when other drafts refer to it */
  id?: string;
  kind: "event" | "state";
  property: string;
  value: unknown;
  source: string;
  method: Method;
  /** null: the moment it is recorded */
  observedAt: Date | null;
  externalId?: string;
  causedBy?: string;
  /** Skip it when the same source said the same within a day, or when it ends a value that does not exist. */
  unlessFresh?: boolean;
  /** Skip it when it is believed already, or when its source has said it since anyone said anything else. */
  unlessSaid?: boolean;
  /** Skip it when there is a value. */
  onlyBlank?: boolean;
};

type Json = CurrentBelief["value"];

/** The evidence on one entity while states are added to it: which of them are new, and what follows from them. */
export class Weighing {
  private readonly entityId: string;
  private readonly at: Date;
  private readonly newId: () => string;
  private readonly byProperty = new Map<string, Evidence[]>();
  private readonly beliefs = new Map<string, Belief | null>();
  private readonly touched = new Set<string>();

  /** `known`: the evidence there is on the properties that will be told, in the order it was learned. */
  constructor(entityId: string, at: Date, evidence: readonly Evidence[], newId: () => string) {
    this.entityId = entityId;
    this.at = at;
    this.newId = newId;
    for (const item of evidence) if (item.kind === "state") push(this.byProperty, item);
  }

  evidenceOn(property: string): readonly Evidence[] {
    return this.byProperty.get(property) ?? [];
  }

  beliefOn(property: string): Belief | null {
    const currentBelief = this.beliefs.get(property);
    if (currentBelief !== undefined) return currentBelief;
    const belief = deriveBelief(this.evidenceOn(property));
    this.beliefs.set(property, belief);
    return belief;
  }

  /** True when something about the property was learned. */
  touches(property: string): boolean {
    return this.touched.has(property);
  }

  /** The id of the observation that says already what the draft says; null when the draft is new. */
  saidBefore(draft: Draft): string | null {
    if (draft.kind === "event") return null;
    return this.unchangedFact(draft) || this.stillFresh(draft) || this.notNeeded(draft);
  }

  /** What would be believed if the draft were taken. */
  beliefWith(draft: Draft): Belief | null {
    return deriveBelief([...this.evidenceOn(draft.property), this.evidenceFrom(draft, NOTHING)]);
  }

  /** Takes a draft that is new. */
  learn(draft: Draft): NewEvidence {
    const item = this.evidenceFrom(draft, draft.id ?? this.newId());
    if (draft.kind === "state") {
      push(this.byProperty, item);
      this.beliefs.delete(draft.property);
      this.touched.add(draft.property);
    }
    return item;
  }

  private evidenceFrom(draft: Draft, id: string): NewEvidence {
    return {
      id,
      entityId: this.entityId,
      kind: draft.kind,
      property: draft.property,
      value: draft.value,
      source: draft.source,
      method: draft.method,
      observedAt: draft.observedAt ?? this.at,
      recordedAt: this.at,
      causedBy: draft.causedBy ?? null,
      externalId: draft.externalId ?? null,
    };
  }

  /** What the answer says of a value that was given, when `before` was believed before it. */
  believed(property: string, stated: unknown, before: Belief | null): CurrentBelief {
    const after = this.beliefOn(property);
    const value = valueIn(after) as Json;
    const text = canonicalJson(value);
    const believed = { property, value, changed: text !== canonicalJson(valueIn(before)) };
    if (after === null || text === canonicalJson(stated)) return believed;
    const { source, method } = after.ended ?? after;
    const confidence = after.ended
      ? confidenceAt({ method, sourceCount: 1, lastObservedAt: after.ended.at, conflicts: [] }, this.at)
      : confidenceAt(after, this.at);
    return { ...believed, conflict: { value, source, method, confidence } };
  }

  /** The claims on everything that was learned. */
  claims(): NewClaim[] {
    return [...this.touched].flatMap((property) =>
      claimOf(this.entityId, property, this.evidenceOn(property), this.beliefOn(property)),
    );
  }

  /** The evidence on a property that counts. */
  private countedOn(property: string): readonly Evidence[] {
    return notWithdrawn([...this.evidenceOn(property)]);
  }

  /** What is believed and has not ended. */
  private currentOn(property: string): Belief | null {
    const belief = this.beliefOn(property);
    return belief && !belief.ended ? belief : null;
  }

  /** The observation that already says what the draft says; null when the draft is new. */
  private stillFresh(draft: Draft): string | null {
    if (!draft.unlessFresh) return null;
    const evidence = this.countedOn(draft.property);
    const current = this.currentOn(draft.property);
    if (draft.value === null) return current ? null : (evidence.at(-1)?.id ?? NOTHING);
    const latest = evidence.findLast((item) => item.source === draft.source && item.method === draft.method);
    if (!current || !latest || canonicalJson(current.value) !== canonicalJson(draft.value)) return null;
    const same = canonicalJson(latest.value) === canonicalJson(draft.value);
    return same && this.at.getTime() - latest.observedAt.getTime() < DAY_MS ? latest.id : null;
  }

  /** The observation that makes a draft needless by its own terms; null when it is needed. */
  private notNeeded({ unlessSaid, onlyBlank, property, value, source, observedAt }: Draft): string | null {
    const current = this.currentOn(property);
    if (onlyBlank && current) return current.observationId;
    if (!unlessSaid) return null;
    const text = canonicalJson(value);
    if (current && canonicalJson(current.value) === text) return current.observationId;
    const evidence = this.countedOn(property);
    const latest = evidence.at(-1);
    const sameValue = evidence.find(
      (item) =>
        item.source === source &&
        canonicalJson(item.value) === text &&
        (observedAt ? item.observedAt.getTime() === observedAt.getTime() : item === latest),
    );
    return sameValue?.id ?? null;
  }

  /** The observation that a repeated fact repeats: the same uuid with the same content changes nothing. */
  private unchangedFact(draft: Draft): string | null {
    if (draft.id !== undefined || factProperty(draft.property) === null) return null;
    const current = this.currentOn(draft.property);
    if (draft.value === null) return current ? null : (this.evidenceOn(draft.property).at(-1)?.id ?? null);
    if (!current) return null;
    const contentOf = ({ category, content }: FactValue) => canonicalJson([category, content]);
    return contentOf(current.value as FactValue) === contentOf(draft.value as FactValue) ? current.observationId : null;
  }
}

/** Placeholder for the observation of a value that never existed. */
const NOTHING = "00000000-0000-0000-0000-000000000000";

const valueIn = (belief: Belief | null): unknown => (belief === null || belief.ended ? null : belief.value);

function push(map: Map<string, Evidence[]>, item: Evidence): void {
  const list = map.get(item.property);
  if (list) list.push(item);
  else map.set(item.property, [item]);
}

/** The claim row that follows from all evidence on one property; none when no state ever had a value. */
export const claimsOf = (entityId: string, property: string, evidence: readonly Evidence[]): NewClaim[] =>
  claimOf(entityId, property, evidence, deriveBelief(evidence));

function claimOf(entityId: string, property: string, evidence: readonly Evidence[], belief: Belief | null): NewClaim[] {
  if (!belief) return [];
  const first = evidence.find((item) => item.kind === "state") as Evidence;
  const fact = factOf(property, belief.value);
  const { category = null, supersedes = null } = fact ?? {};
  return [{ entityId, property, claimId: first.id, category, supersedes, belief }];
}
