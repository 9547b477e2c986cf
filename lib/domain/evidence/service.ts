import { bookkeeping } from "#lib/core/bookkeeping.ts";
import { newId } from "#lib/core/ids.ts";
import { canonicalJson } from "#lib/core/json.ts";
import { DAY_MS } from "#lib/core/time.ts";
import { giveTurn } from "#lib/core/turns.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { emit } from "#lib/domain/outbox/service.ts";
import { announce } from "#lib/live/announce.ts";
import type { Believed } from "./contract.ts";
import {
  findByExternalIds,
  findEvidenceByPrefix,
  findEvidenceOn,
  type Held,
  type NewClaim,
  type NewEvidence,
  type Projection,
  removeClaims,
  removeClaimsOn,
  type StoredEvidence,
  type Subject,
  type Written,
  writeEvidence,
  writeEvidenceApart,
} from "./queries.ts";
import { type Belief, confidenceAt, deriveBelief, type Evidence, type Method } from "./rules/derivation.ts";
import { type FactValue, factOf, factProperty } from "./rules/fact-values.ts";

export type { Believed } from "./contract.ts";
export {
  type EvidenceOf,
  findEvidence,
  findEvidenceByPrefix,
  findEvidenceOn,
  lockEntities,
  lockEntitiesLate,
  lockEntity,
  type NewClaim,
  type NewEvidence,
  notRetired,
  readClock,
  removeClaims,
  retiredEvents,
  type StoredEvidence,
  type Subject,
  valueBefore,
  writeEvidence,
} from "./queries.ts";
export {
  type Belief,
  type Conflict,
  confidenceAt,
  deriveBelief,
  type Evidence,
  evidenceAt,
  freshnessAt,
  type Method,
} from "./rules/derivation.ts";
export {
  FACT_PREFIX,
  type FactValue,
  FactValueInput,
  factIdOf,
  factProperty,
  propertyOfFact,
} from "./rules/fact-values.ts";

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

/** `believed`: of each state that was given, the repeated ones too. `derived`: the claims that were touched, as they were then. */
export type Recorded = {
  ids: string[];
  recorded: number;
  duplicates: number;
  believed: readonly Believed[];
  at: Date;
  derived: readonly NewClaim[];
};

/** What is decided about an event: that it was removed, what replaced it, or (null) that it is back. */
export const retirementOf = (
  ctx: Pick<Ctx, "actor">,
  eventId: string,
  value: { removed: true } | { replaced_by: string } | null,
): Draft & { id: string; causedBy: string } => ({
  // With an id of its own it is never taken for a repetition.
  id: newId(),
  kind: "state",
  property: `${bookkeeping.retired}${eventId}`,
  value,
  source: sourceOf(ctx),
  method: "asserted",
  observedAt: null,
  causedBy: eventId,
});

/** The default source of what this caller records. */
export function sourceOf(ctx: Pick<Ctx, "actor">): string {
  const { type } = ctx.actor;
  return type === "user" ? "manual" : type === "api_key" ? "api" : type;
}

/** True for what people decide rather than observe: of all who say it, the latest counts. */
export const latestCounts = (property: string): boolean => property === "pipeline_stage" || property === "owner";

/**
 * How what this caller says is known when they do not say so: what a person writes in the app is asserted, what a key, an
 * import or a provider writes is observed. A pipeline stage and an owner are asserted by all, so that the latest one counts,
 * and so is a fact of the GTM profile.
 */
export const methodOf = (ctx: Pick<Ctx, "actor">, property: string): Method =>
  ctx.actor.type === "user" || latestCounts(property) || factProperty(property) !== null ? "asserted" : "observed";

/**
 * What is to be recorded about an entity, with all evidence read since its lock was taken on the properties that this or
 * anything else told of it at once touches.
 */
export type About = { subject: Subject; drafts: readonly Draft[]; known: readonly StoredEvidence[] };

/**
 * Records drafts about entities and re-derives the claims they touch, in one statement. The caller holds the locks of
 * the entities (taken at `at`). Duplicates by external id or by unchanged fact are left out. When an entity comes
 * twice, the second is recorded after the first.
 */
export async function recordEvidenceOn(ctx: Ctx, at: Date, abouts: readonly About[]): Promise<Recorded[]> {
  const { results, fresh, derived } = await foreseeEvidenceOn(ctx, at, abouts);
  if (fresh.length === 0) return results;
  const seqOf = new Map(abouts.flatMap(({ known }) => known.map((item) => [item.id, item.seq])));
  // Waited for, though nothing here needs it: meanwhile other requests have their turn.
  const written = await writeEvidenceApart(ctx.db, at, authorOf(ctx), fresh, derived, seqOf);
  ctx.db.afterCommit(() => announceLearned(ctx.workspaceId, written));
  const facts = fresh.filter((item) => item.entityId === ctx.workspaceId && isNewFact(item, derived));
  emit(ctx, at, facts.map(factRecorded));
  return results;
}

/** What `recordEvidenceOn` would record and derive; writes nothing. */
export async function foreseeEvidenceOn(ctx: Ctx, at: Date, abouts: readonly About[]) {
  const soFar = new Map<string, { known: readonly Evidence[]; repeated: Map<string, string> }>();
  const fresh: NewEvidence[] = [];
  const claims = new Map<string, NewClaim>();
  const results: Recorded[] = [];
  for (const about of abouts) {
    const entityId = idOf(about.subject);
    const { known, repeated } = soFar.get(entityId) ?? { known: about.known, repeated: new Map() };
    for (const [key, id] of await findRepeated(ctx, about.subject, about.drafts)) repeated.set(key, id);
    const weighed = weigh(entityId, at, about.drafts, known, repeated);
    soFar.set(entityId, { known: [...known, ...weighed.fresh], repeated });
    fresh.push(...weighed.fresh);
    for (const claim of weighed.claims) claims.set(`${entityId} ${claim.property}`, claim);
    const { ids, duplicates, believed } = weighed;
    results.push({ ids, recorded: weighed.fresh.length, duplicates, believed, at, derived: weighed.claims });
    await giveTurn(results.length);
  }
  return { results, fresh, derived: [...claims.values()] };
}

/** Tells open pages about whom something was learned, once for each. */
function announceLearned(workspaceId: string, written: readonly Written[]): void {
  const latest = new Map(written.map(({ entityId, seq }) => [entityId, seq]));
  for (const [entity_id, seq] of latest) announce(workspaceId, { topic: "activity", entity_id, seq });
}

/** As `recordEvidenceOn`, about one entity. */
export async function recordEvidence(
  ctx: Ctx,
  subject: Subject,
  at: Date,
  drafts: readonly Draft[],
  known: readonly StoredEvidence[],
): Promise<Recorded> {
  const [recorded] = await recordEvidenceOn(ctx, at, [{ subject, drafts, known }]);
  return recorded as Recorded;
}

const idOf = (subject: Subject): string => (typeof subject === "string" ? subject : subject.id);

type Weighed = { ids: string[]; fresh: NewEvidence[]; claims: NewClaim[]; duplicates: number; believed: Believed[] };

/** Compares drafts with the existing evidence: which of them are new, and the claims that follow. */
function weigh(
  entityId: string,
  at: Date,
  drafts: readonly Draft[],
  known: readonly Evidence[],
  repeated: Map<string, string>,
): Weighed {
  const byProperty = new Map<string, Evidence[]>();
  for (const item of known) if (item.kind === "state") push(byProperty, item.property, item);
  const given = new Map(drafts.flatMap(({ kind, property, value }) => (kind === "state" ? [[property, value]] : [])));
  const before = new Map([...given.keys()].map((property) => [property, deriveBelief(byProperty.get(property) ?? [])]));
  const sofar = new Map(before);
  const beliefOn = (property: string): Belief | null => {
    const known = sofar.get(property);
    if (known !== undefined) return known;
    const belief = deriveBelief(byProperty.get(property) ?? []);
    sofar.set(property, belief);
    return belief;
  };
  const fresh: NewEvidence[] = [];
  const ids: string[] = [];
  for (const draft of drafts) {
    const externalKey = draft.externalId === undefined ? null : pair(draft.source, draft.externalId);
    const evidence = byProperty.get(draft.property) ?? [];
    const first =
      (externalKey !== null && repeated.get(externalKey)) ||
      unchangedFact(draft, evidence, beliefOn) ||
      stillFresh(draft, evidence, beliefOn, at) ||
      notNeeded(draft, evidence, beliefOn);
    if (first) {
      ids.push(first);
      continue;
    }
    const item: NewEvidence = {
      id: draft.id ?? newId(),
      entityId,
      kind: draft.kind,
      property: draft.property,
      value: draft.value,
      source: draft.source,
      method: draft.method,
      observedAt: draft.observedAt ?? at,
      recordedAt: at,
      causedBy: draft.causedBy ?? null,
      externalId: draft.externalId ?? null,
    };
    if (externalKey !== null) repeated.set(externalKey, item.id);
    if (draft.kind === "state") {
      push(byProperty, draft.property, item);
      sofar.delete(draft.property);
    }
    fresh.push(item);
    ids.push(item.id);
  }
  const touched = new Set(fresh.filter((item) => item.kind === "state").map((item) => item.property));
  const claims = [...touched].flatMap((property) => claimsOf(entityId, property, byProperty.get(property) ?? []));
  const after = new Map([...before, ...claims.map(({ property, belief }) => [property, belief] as const)]);
  const believed = [...given].map(([property, value]) =>
    believedOf({ property, value, before: before.get(property) ?? null, after: after.get(property) ?? null, at }),
  );
  return { ids, fresh, claims, duplicates: drafts.length - fresh.length, believed };
}

type Json = Believed["value"];
type Outcome = { property: string; value: unknown; before: Belief | null; after: Belief | null; at: Date };

/** The result of a value that was given. */
function believedOf({ property, value: given, before, after, at }: Outcome): Believed {
  const value = valueIn(after) as Json;
  const text = canonicalJson(value);
  const believed = { property, value, changed: text !== canonicalJson(valueIn(before)) };
  if (after === null || text === canonicalJson(given)) return believed;
  const { source, method } = after.ended ?? after;
  const confidence = after.ended
    ? confidenceAt({ method, sourceCount: 1, lastObservedAt: after.ended.at, conflicts: [] }, at)
    : confidenceAt(after, at);
  return { ...believed, conflict: { value, source, method, confidence } };
}

const valueIn = (belief: Belief | null): unknown => (belief === null || belief.ended ? null : belief.value);

/** Who evidence is recorded from. */
export const authorOf = (ctx: Pick<Ctx, "actor" | "client">) => ({
  actor: `${ctx.actor.type}:${ctx.actor.id}`,
  client: ctx.client,
});

/** True for the observation that gave a fact of the profile its current value; a repeat is not new. */
const isNewFact = (item: NewEvidence, claims: readonly NewClaim[]): boolean =>
  factProperty(item.property) !== null &&
  claims.some(({ belief }) => belief.observationId === item.id && belief.ended === null);

const factRecorded = (item: NewEvidence) => ({
  type: "fact.recorded",
  entityId: item.entityId,
  observationId: item.id,
});

/** Like `project`, for this entity. */
export const claimsOf = (entityId: string, property: string, evidence: readonly Evidence[]): NewClaim[] =>
  project(property, evidence).map((projection) => ({ ...projection, entityId }));

/** The claim row that follows from all evidence on one property; none when no state ever had a value. */
export function project(property: string, evidence: readonly Evidence[]): Projection[] {
  const belief = deriveBelief(evidence);
  const first = evidence.find((item) => item.kind === "state");
  if (!belief || !first) return [];
  const fact = factOf(property, belief.value);
  return [
    { property, claimId: first.id, category: fact?.category ?? null, supersedes: fact?.supersedes ?? null, belief },
  ];
}

/** Derives every claim of an entity again from all its evidence, that of entities merged into it included. */
export async function deriveAgain(ctx: Ctx, subject: Exclude<Subject, string>): Promise<void> {
  const evidence = await findEvidenceByPrefix(ctx.db, subject, "");
  const states = Map.groupBy(
    evidence.filter((item) => item.kind === "state"),
    (item) => item.property,
  );
  const claims = [...states].flatMap(([property, items]) => claimsOf(subject.id, property, items));
  await removeClaims(ctx.db, [subject.id]);
  const by = { actor: "", client: null };
  const seqOf = new Map(evidence.map((item) => [item.id, item.seq]));
  if (claims.length > 0) await writeEvidence(ctx.db, new Date(), by, [], claims, seqOf);
}

/**
 * Derives some properties of entities again, after evidence on them was retired. The caller holds the entities; those merged
 * into one count as it. Returns what is now believed of those of which it is something else than before.
 */
export async function deriveProperties(
  ctx: Ctx,
  entities: readonly Exclude<Subject, string>[],
  touched: readonly { entityId: string; property: string }[],
): Promise<Held[]> {
  const owners = new Map(entities.flatMap(({ id, absorbed }) => [id, ...absorbed].map((part) => [part, id] as const)));
  const pairs = new Map(
    touched.flatMap(({ entityId, property }) => {
      const owner = owners.get(entityId);
      return owner === undefined ? [] : [[`${owner} ${property}`, { owner, property }] as const];
    }),
  );
  if (pairs.size === 0) return [];
  const wanted = [...pairs.values()];
  const before = await removeClaimsOn(ctx.db, wanted);
  const evidence = await findEvidenceOn(
    ctx.db,
    [...owners.keys()],
    [...new Set(wanted.map(({ property }) => property))],
  );
  const ofPair = Map.groupBy(evidence, ({ entityId, property }) => `${owners.get(entityId)} ${property}`);
  const claims = wanted.flatMap(({ owner, property }) =>
    claimsOf(owner, property, ofPair.get(`${owner} ${property}`) ?? []),
  );
  const seqOf = new Map(evidence.map(({ id, seq }) => [id, seq]));
  if (claims.length > 0) await writeEvidence(ctx.db, new Date(), { actor: "", client: null }, [], claims, seqOf);
  const after = claims.map(({ entityId: owner, property, belief }) => ({
    owner,
    property,
    value: belief.ended ? null : belief.value,
  }));
  return changed(wanted, before, after);
}

/** Of each property what is held of it now, where that is something else than before. */
function changed(
  pairs: readonly { owner: string; property: string }[],
  before: readonly Held[],
  after: readonly Held[],
): Held[] {
  const [was, is] = [before, after].map(
    (held) => new Map(held.map(({ owner, property, value }) => [`${owner} ${property}`, value])),
  ) as [Map<string, unknown>, Map<string, unknown>];
  return pairs.flatMap(({ owner, property }) => {
    const [old, value] = [was.get(`${owner} ${property}`) ?? null, is.get(`${owner} ${property}`) ?? null];
    return canonicalJson(old) === canonicalJson(value) ? [] : [{ owner, property, value }];
  });
}

async function findRepeated(ctx: Ctx, subject: Subject, drafts: readonly Draft[]): Promise<Map<string, string>> {
  const named = drafts.filter((draft) => draft.externalId !== undefined);
  if (named.length === 0) return new Map();
  const rows = await findByExternalIds(
    ctx.db,
    subject,
    named.map((draft) => draft.source),
    named.map((draft) => draft.externalId as string),
  );
  return new Map(rows.map((row) => [pair(row.source, row.externalId), row.id]));
}

const pair = (source: string, externalId: string): string => `${source}\n${externalId}`;

function push<T>(map: Map<string, T[]>, key: string, item: T): void {
  const list = map.get(key);
  if (list) list.push(item);
  else map.set(key, [item]);
}

type BeliefOn = (property: string) => Belief | null;

/** The observation that already says what the draft says; null when the draft is new. */
function stillFresh(draft: Draft, evidence: readonly Evidence[], beliefOn: BeliefOn, at: Date): string | null {
  if (!draft.unlessFresh) return null;
  const belief = beliefOn(draft.property);
  if (draft.value === null) return belief && !belief.ended ? null : (evidence.at(-1)?.id ?? NOTHING);
  const latest = evidence.findLast((item) => item.source === draft.source && item.method === draft.method);
  if (!belief || belief.ended || !latest || canonicalJson(belief.value) !== canonicalJson(draft.value)) return null;
  const same = canonicalJson(latest.value) === canonicalJson(draft.value);
  return same && at.getTime() - latest.observedAt.getTime() < DAY_MS ? latest.id : null;
}

/** The observation that makes a draft needless by its own terms; null when it is needed. */
function notNeeded(
  { unlessSaid, onlyBlank, property, value, source, observedAt }: Draft,
  evidence: readonly Evidence[],
  beliefOn: BeliefOn,
) {
  if (evidence.length === 0 || !(unlessSaid || onlyBlank)) return null;
  const belief = beliefOn(property);
  const current = belief && !belief.ended ? belief : null;
  if (onlyBlank && current) return current.observationId;
  if (!unlessSaid) return null;
  const text = canonicalJson(value);
  if (current && canonicalJson(current.value) === text) return current.observationId;
  const latest = evidence.at(-1) as Evidence;
  const said = evidence.find(
    (item) =>
      item.source === source &&
      canonicalJson(item.value) === text &&
      (observedAt ? item.observedAt.getTime() === observedAt.getTime() : item === latest),
  );
  return said?.id ?? null;
}

/** Placeholder for the observation of a value that never existed. */
const NOTHING = "00000000-0000-0000-0000-000000000000";

/** The observation that a repeated fact repeats: the same uuid with the same content changes nothing. */
function unchangedFact(draft: Draft, evidence: readonly Evidence[], beliefOn: BeliefOn): string | null {
  if (draft.id !== undefined || draft.kind !== "state" || factProperty(draft.property) === null) return null;
  const belief = beliefOn(draft.property);
  const current = belief && !belief.ended ? (belief.value as FactValue) : null;
  if (draft.value === null) return current === null ? ((evidence.at(-1)?.id ?? null) as string | null) : null;
  const { category, content } = draft.value as FactValue;
  const same =
    current !== null && canonicalJson([current.category, current.content]) === canonicalJson([category, content]);
  return same && belief ? belief.observationId : null;
}
