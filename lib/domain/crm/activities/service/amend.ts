import type { z } from "zod";
import { Fault, isFault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { canonicalJson } from "#lib/core/json.ts";
import {
  eventIn,
  holdEntities,
  type ReportResult,
  readStageRules,
  rebuildRows,
  record,
  STAGE,
  type Stage,
  stageAfter,
  stageOf,
} from "#lib/domain/crm/recording/service.ts";
import { labelOf, typeOf } from "#lib/domain/crm/timeline/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { type EntityRow, evidenceIds } from "#lib/domain/records/entities/service.ts";
import {
  type Draft,
  findEvidenceOn,
  methodOf,
  type NewEvidence,
  retirementOf,
  type StoredEvidence,
  stateFrom,
} from "#lib/domain/records/evidence/service.ts";
import { formatTime } from "#lib/text/time.ts";
import * as contract from "../contract.ts";
import { type EventToAmend, findEventsToAmend, findLater, findRetirements, type Retirement } from "../queries.ts";
import type { SignalResult } from "./signals.ts";

/** Wrote a note that is no activity: it is corrected as a note. */
const NOTE = "note.saved";

export const correctActivity = implement(contract.correctActivity, async (ctx, { id, description, occurred_at }) => {
  if (description === undefined && occurred_at === undefined)
    throw new Fault("invalid_parameter", { parameter: "description" }, "Send a description, a time, or both.");
  const activity = await hold(ctx, id);
  const { event, entity, retirement } = activity;
  refuseRetired(retirement);
  const value = description === undefined ? event.value : described(event.value, description);
  const observedAt = occurred_at ?? event.observedAt;
  const changed = canonicalJson(value) !== canonicalJson(event.value) || +observedAt !== +event.observedAt;
  if (!changed) return answer(event, event, entity, false);
  const correction = { ...correctionOf(ctx, event), value, observedAt };
  await write(ctx, [{ entity, drafts: [retirementOf(ctx, event.id, { replaced_by: correction.id }), correction] }]);
  return answer(event, correction, entity, true);
});

export const removeActivity = implement(contract.removeActivity, async (ctx, { id }) => {
  const activity = await hold(ctx, id);
  const { event, entity, retirement } = activity;
  if (retirement?.value && "removed" in retirement.value) return { ...removalAnswer(event, entity), removed: true };
  refuseRetired(retirement);
  const [moved] = (await takeOff(ctx, [activity], { removed: true })).values();
  return { ...removalAnswer(event, entity, moved), removed: true };
});

/** Takes activities off their timelines, which are locked, and the stages they led to back. Returns how these moved, by entity. */
async function takeOff(
  ctx: Ctx,
  activities: readonly LockedActivity[],
  value: { removed: true; private?: true },
): Promise<Map<string, StageMoveBack>> {
  const removals = activities.map((activity) => ({ ...activity, draft: retirementOf(ctx, activity.event.id, value) }));
  const byEntity = Map.groupBy(removals, ({ entity }) => entity.id);
  const moved = await takeBack(ctx, byEntity);
  await write(
    ctx,
    [...byEntity].map(([id, theirs]) => {
      const move = moved.get(id)?.move;
      const drafts = [...theirs.map(({ draft }) => draft), ...(move ? [move] : [])];
      return { entity: (theirs[0] as LockedActivity).entity, drafts };
    }),
  );
  return moved;
}

export const restoreActivity = implement(contract.restoreActivity, async (ctx, { id }) => {
  const activity = await hold(ctx, id);
  const { event, entity, retirement } = activity;
  if (isPrivateRemoval(retirement)) throw new Fault("activity_not_found");
  if (!retirement?.value) return { ...removalAnswer(event, entity), removed: false };
  if (!("removed" in retirement.value)) refuseRetired(retirement);
  const moved =
    entity.type === "person" ? movedAgain(ctx, activity, (await lastStages(ctx, [entity])).get(entity.id)) : null;
  await write(ctx, [{ entity, drafts: [retirementOf(ctx, event.id, null), ...(moved ? [moved.move] : [])] }]);
  return { ...removalAnswer(event, entity, moved), removed: false };
});

/**
 * Puts activities back that were taken off because they were private, many with as few statements as one; leaves any other as it is.
 * Returns which were put back.
 */
export async function showActivities(ctx: Ctx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const retirements = await findRetirements(ctx.db, ids);
  const hidden = ids.filter((id) => isPrivateRemoval(retirements.get(id) ?? null));
  // As they are under their locks.
  const activities = (await holdAll(ctx, hidden)).filter(({ retirement }) => isPrivateRemoval(retirement));
  const changes: { entity: EntityRow; drafts: Draft[] }[] = [];
  const stages = await lastStages(
    ctx,
    activities.flatMap(({ entity }) => (entity.type === "person" ? entity : [])),
  );
  for (const theirs of Map.groupBy(activities, ({ entity }) => entity.id).values()) {
    const { entity } = theirs[0] as LockedActivity;
    const drafts = theirs.map(({ event }) => retirementOf(ctx, event.id, null));
    const moves = theirs.flatMap((one) => movedAgain(ctx, one, stages.get(entity.id))?.move ?? []);
    changes.push({ entity, drafts: [...drafts, ...moves] });
  }
  await write(ctx, changes);
  return new Set(activities.map(({ event }) => event.id));
}

/** As `showActivities`, those of signals that had been recorded before. */
export const showRecordedBefore = (
  ctx: Ctx,
  outcomes: readonly (SignalResult | Fault | null)[],
): Promise<ReadonlySet<string>> =>
  showActivities(
    ctx,
    outcomes.flatMap((one) => (one && !isFault(one) && one.deduplicated ? one.activityId : [])),
  );

/**
 * Takes activities off their timelines until their member shares them again, many with as few statements as one; where someone corrected
 * one, the correction. Returns what was taken off, by the ids given; null: it is not there any more.
 */
export async function hideActivities(ctx: Ctx, ids: readonly string[]): Promise<Map<string, string | null>> {
  const hidden = new Map<string, string | null>(ids.map((id) => [id, null]));
  const current = new Map<string, LockedActivity>();
  const take = (activity: LockedActivity) => {
    if (!activity.retirement?.value) current.set(activity.event.id, activity);
  };
  const corrections: string[] = [];
  for (const activity of await holdAll(ctx, ids)) {
    const { event, retirement } = activity;
    const isCorrected = retirement?.value && !("removed" in retirement.value);
    hidden.set(event.id, isCorrected ? retirement.current : event.id);
    if (isCorrected && retirement.current) corrections.push(retirement.current);
    take(activity);
  }
  if (corrections.length > 0) (await holdAll(ctx, corrections)).forEach(take);
  await takeOff(ctx, [...current.values()], { removed: true, private: true });
  return hidden;
}

const isPrivateRemoval = (retirement: Retirement | null): boolean =>
  retirement?.value !== null && retirement !== null && "private" in retirement.value;

/** An activity under the lock of its contact. */
type LockedActivity = { event: EventToAmend; entity: EntityRow; retirement: Retirement | null };

/** Throws 404 `activity_not_found`. */
async function hold(ctx: Ctx, id: string): Promise<LockedActivity> {
  const [activity] = await holdAll(ctx, [id]);
  if (activity) return activity;
  const [event] = await findEventsToAmend(ctx.db, [id]);
  if (event?.property === NOTE)
    throw new Fault("activity_not_found", {}, "This tells that a note was saved: correct the note itself.");
  throw new Fault("activity_not_found");
}

/** Activities under the locks of their contacts; leaves out those that are not there any more. */
async function holdAll(ctx: Ctx, ids: readonly string[]): Promise<LockedActivity[]> {
  const events = await findEventsToAmend(ctx.db, ids);
  const told = events.filter(({ entityId, property }) => entityId !== ctx.workspaceId && property !== NOTE);
  if (told.length === 0) return [];
  const entities = await holdEntities(ctx, [...new Set(told.map(({ entityId }) => entityId))]);
  const retirements = await findRetirements(
    ctx.db,
    told.map(({ id }) => id),
  );
  return told.flatMap((event) => {
    const entity = entities.get(event.entityId);
    return entity ? { event, entity, retirement: retirements.get(event.id) ?? null } : [];
  });
}

/** Throws 409 for an activity that is no longer current. */
function refuseRetired(retirement: Retirement | null): void {
  if (!retirement?.value) return;
  if ("removed" in retirement.value) throw new Fault("activity_removed");
  throw new Fault("activity_superseded", { current_id: retirement.current });
}

/** The value with another description; without any when it is null. */
function described(value: unknown, description: string | null): unknown {
  const record = typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  const { description: _, summary: __, ...rest } = record as Record<string, unknown>;
  return description === null ? rest : { description, ...rest };
}

/** A correction tells of the same event of the same source; its actor and method say who corrected it. */
const correctionOf = (ctx: Ctx, { property, value, source, observedAt, root }: EventToAmend) => ({
  ...({ id: newId(), kind: "event", property, value, source, observedAt, causedBy: root } as const),
  method: methodOf(ctx, property),
});

/** Records what was decided about contacts, and derives their last activities and the rows of the lists again. */
async function write(ctx: Ctx, changes: readonly { entity: EntityRow; drafts: readonly Draft[] }[]): Promise<void> {
  if (changes.length === 0) return;
  const reports = changes.map(({ entity: { id }, drafts }) => ({ about: { id }, drafts, amends: true as const }));
  const results = await record(ctx, reports);
  for (const result of results) if (isFault(result)) throw result;
  const [{ at }] = results as [ReportResult];
  await rebuildRows(
    ctx,
    at,
    changes.map(({ entity }) => entity),
    null,
  );
}

/** A stage that moves because an activity was removed or restored. */
type StageMoveBack = { move: Draft; before: Stage; after: Stage };

/**
 * Takes back the stages that removed activities led to, where nothing moved them since: to what the rules make of the
 * activities that remain.
 */
async function takeBack(
  ctx: Ctx,
  removals: ReadonlyMap<string, readonly (LockedActivity & { draft: { id: string } })[]>,
): Promise<Map<string, StageMoveBack>> {
  const moved = new Map<string, StageMoveBack>();
  const people = [...removals.values()].flatMap(([one]) => (one?.entity.type === "person" ? one.entity : []));
  const stages = await lastStages(ctx, people);
  const ledBy = people.flatMap((entity) => {
    const [previous, latest] = stages.get(entity.id) ?? [];
    const cause = latest && removals.get(entity.id)?.find(({ event }) => event.root === latest.causedBy);
    return cause ? { entity, previous, latest, causedBy: cause.draft.id } : [];
  });
  if (ledBy.length === 0) return moved;
  const rules = await readStageRules(ctx);
  for (const { entity, previous, latest, causedBy } of ledBy) {
    const removed = removals.get(entity.id)?.map(({ event }) => event.id) ?? [];
    const rest = await findLater(ctx.db, evidenceIds(entity), latest.seq, removed);
    const after = rest.reduce<Stage>(
      (stage, { property, value, observedAt, recordedAt }) =>
        stageAfter(rules, stage, { type: typeOf(property), event: eventIn(value), occurredAt: observedAt, recordedAt }),
      stageOf(previous?.value),
    );
    const move = movedTo(ctx, causedBy, stageOf(latest.value), after);
    if (move) moved.set(entity.id, move);
  }
  return moved;
}

/** Gives back the stage that the removal of an activity took, when nothing moved it since. */
function movedAgain(
  ctx: Ctx,
  { event, retirement }: LockedActivity,
  [previous, latest]: LastStages = [],
): StageMoveBack | null {
  if (!latest || latest.causedBy !== retirement?.id) return null;
  return movedTo(ctx, event.root, stageOf(latest.value), stageOf(previous?.value));
}

function movedTo(ctx: Ctx, causedBy: string, before: Stage, after: Stage): StageMoveBack | null {
  if (before === after) return null;
  return { move: { ...stateFrom(ctx, STAGE, after), causedBy }, before, after };
}

type LastStages = readonly (StoredEvidence | undefined)[];

/** The last two stages that were told of people, by the person. */
async function lastStages(ctx: Ctx, people: readonly EntityRow[]): Promise<Map<string, LastStages>> {
  const evidence = Map.groupBy(
    await findEvidenceOn(ctx.db, people.flatMap(evidenceIds), [STAGE]),
    (one) => one.entityId,
  );
  return new Map(
    people.map((person) => {
      const theirs = evidenceIds(person).flatMap((id) => evidence.get(id) ?? []);
      const inTime = theirs.toSorted((a, b) => +a.observedAt - +b.observedAt || a.seq - b.seq);
      return [person.id, [inTime.at(-2), inTime.at(-1)]];
    }),
  );
}

type RemovalAnswer = z.output<typeof contract.removeActivity.output>;

const removalAnswer = (
  { id }: EventToAmend,
  entity: EntityRow,
  moved: StageMoveBack | null = null,
): Omit<RemovalAnswer, "removed"> => ({
  activity_id: id,
  contact_id: entity.id,
  ...(moved ? { stage_before: moved.before, stage_after: moved.after } : {}),
});

const answer = (
  { id }: EventToAmend,
  now: Pick<NewEvidence, "id" | "property" | "value" | "observedAt">,
  entity: EntityRow,
  changed: boolean,
): z.output<typeof contract.correctActivity.output> => ({
  activity_id: now.id,
  replaces: changed ? id : null,
  contact_id: entity.id,
  type: typeOf(now.property),
  description: labelOf(now.value),
  occurred_at: formatTime(now.observedAt),
});
