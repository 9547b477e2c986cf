import { nameOfActor } from "#lib/core/context.ts";
import { newId } from "#lib/core/ids.ts";
import { canonicalJson } from "#lib/core/json.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { emit, type NewEvent } from "#lib/domain/records/outbox/service.ts";
import { announce } from "#lib/live/announce.ts";
import {
  type EvidencePlace,
  findEvidenceOf,
  findEvidenceOn,
  keepClaims,
  type NewClaim,
  type NewEvidence,
  type PropertyBelief,
  removeClaimsOn,
  type StoredEvidence,
  type Subject,
  writeEvidence,
} from "./queries.ts";
import type { Method } from "./rules/derivation.ts";
import { factProperty } from "./rules/fact-values.ts";
import { claimsOf, type Draft, Weighing } from "./rules/weighing.ts";
import { bookkeeping } from "./words.ts";

export type { CurrentBelief } from "./contract.ts";
export {
  type EvidenceOf,
  type EvidencePlace,
  findEvidence,
  findEvidenceByPrefix,
  findEvidenceOn,
  findSaidByPeople,
  holdsEntities,
  lockEntities,
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

export { claimsOf, type Draft, Weighing } from "./rules/weighing.ts";
export { isBookkeeping } from "./words.ts";

/** What is decided about an event: that it was removed, what replaced it, or (null) that it is back. */
export const retirementOf = (
  ctx: Pick<Ctx, "actor">,
  eventId: string,
  value: { removed: true; private?: true } | { replaced_by: string } | null,
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

/** That a property has a value from now on (null: none), as what this caller says. */
export const stateFrom = (ctx: Pick<Ctx, "actor">, property: string, value: unknown): Draft => ({
  kind: "state",
  property,
  value,
  source: sourceOf(ctx),
  method: methodOf(ctx, property),
  observedAt: null,
});

/** The same with an id of its own, so that it counts although its source has said it before. */
export const freshStateFrom = (...statement: Parameters<typeof stateFrom>): Draft => ({
  ...stateFrom(...statement),
  id: newId(),
});

/** Records drafts about the workspace itself, whose lock the caller took at `at`, with all evidence on what they touch. */
export async function recordEvidence(
  ctx: Ctx,
  at: Date,
  drafts: readonly Draft[],
  stored: readonly StoredEvidence[],
): Promise<void> {
  const weighing = new Weighing(ctx.workspaceId, at, stored, newId);
  const fresh = drafts.flatMap((draft) => (weighing.saidBefore(draft) === null ? [weighing.learn(draft)] : []));
  if (fresh.length === 0) return;
  const claims = weighing.claims();
  const seqOf = new Map(stored.map((item) => [item.id, item.seq]));
  const written = writeEvidence(ctx.db, at, authorOf(ctx), fresh, claims, seqOf);
  announceLearned(ctx, written, fresh);
  emit(ctx, at, factsRecorded(ctx, fresh, claims));
  await written; // nothing here needs it: meanwhile other requests have their turn
}

/**
 * Tells open pages which contacts have new evidence, after the commit: of each event, and of others once. `from`: evidence
 * before this place is about contacts that no page can show yet.
 */
export function announceLearned(
  ctx: Ctx,
  written: Promise<EvidencePlace[]>,
  evidence: readonly NewEvidence[],
  from = 0,
): void {
  ctx.db.afterCommit(
    () =>
      void written.then((all) => {
        const rows = all.slice(from);
        const events = rows.filter((_, place) => evidence[from + place]?.kind === "event");
        const entityIds = new Set(events.map(({ entityId }) => entityId));
        const latest = new Map(
          rows.filter(({ entityId }) => !entityIds.has(entityId)).map((row) => [row.entityId, row]),
        );
        for (const { entityId, seq } of [...latest.values(), ...events])
          announce(ctx.workspaceId, { topic: "activity", entity_id: entityId, seq });
      }),
  );
}

/** Who evidence is recorded from. */
export const authorOf = (ctx: Pick<Ctx, "actor" | "client">) => ({
  actor: nameOfActor(ctx),
  client: ctx.client,
});

/** The events of new facts of the profile: of observations that gave one its current value. A repeat is not new. */
export const factsRecorded = (
  { workspaceId }: Pick<Ctx, "workspaceId">,
  evidence: readonly NewEvidence[],
  claims: readonly NewClaim[],
): NewEvent[] =>
  evidence
    .filter(
      ({ id, entityId, property }) =>
        entityId === workspaceId &&
        factProperty(property) !== null &&
        claims.some(({ belief }) => belief.observationId === id && belief.ended === null),
    )
    .map(({ id, entityId }) => ({ type: "fact.recorded", entityId, observationId: id }));

/** Derives every claim of some entities again from all their evidence, that of entities merged into them included. */
export async function deriveAgain(ctx: Ctx, entities: readonly Exclude<Subject, string>[]): Promise<void> {
  const owners = ownersOf(entities);
  const evidence = await findEvidenceOf(ctx.db, [...owners.keys()]);
  const claims: NewClaim[] = [];
  const states = evidence.filter(({ kind }) => kind === "state");
  for (const [owner, items] of Map.groupBy(states, ({ entityId }) => owners.get(entityId) as string))
    for (const [property, those] of Map.groupBy(items, (item) => item.property))
      claims.push(...claimsOf(owner, property, those));
  await keepClaims(
    ctx.db,
    entities.map(({ id }) => id),
    claims,
  );
  const by = { actor: "", client: null };
  const seqOf = new Map(evidence.map((item) => [item.id, item.seq]));
  if (claims.length > 0) await writeEvidence(ctx.db, new Date(), by, [], claims, seqOf);
}

/** The entity that the evidence of each counts for: itself, or the one it was merged into. */
export const ownersOf = (entities: readonly Exclude<Subject, string>[]): Map<string, string> =>
  new Map(entities.flatMap(({ id, absorbed }) => [id, ...absorbed].map((part) => [part, id] as const)));

/**
 * Derives some properties of entities again, after evidence on them was retired. The caller holds the entities; those merged
 * into one count as it. Returns what is now believed of those of which it is something else than before.
 */
export async function deriveProperties(
  ctx: Ctx,
  entities: readonly Exclude<Subject, string>[],
  touched: readonly { entityId: string; property: string }[],
): Promise<PropertyBelief[]> {
  const owners = ownersOf(entities);
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
  before: readonly PropertyBelief[],
  after: readonly PropertyBelief[],
): PropertyBelief[] {
  const [was, is] = [before, after].map(
    (labels) => new Map(labels.map(({ owner, property, value }) => [`${owner} ${property}`, value])),
  ) as [Map<string, unknown>, Map<string, unknown>];
  return pairs.flatMap(({ owner, property }) => {
    const [old, value] = [was.get(`${owner} ${property}`) ?? null, is.get(`${owner} ${property}`) ?? null];
    return canonicalJson(old) === canonicalJson(value) ? [] : [{ owner, property, value }];
  });
}
