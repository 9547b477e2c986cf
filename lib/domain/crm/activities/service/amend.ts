import type { z } from "zod";
import { Fault, isFault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { canonicalJson } from "#lib/core/json.ts";
import {
  eventIn,
  holdEntities,
  readStageRules,
  rebuildRows,
  recordOne,
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
  findEvidence,
  methodOf,
  type NewEvidence,
  retirementOf,
  type StoredEvidence,
  stateFrom,
} from "#lib/domain/records/evidence/service.ts";
import { formatTime } from "#lib/text/time.ts";
import * as contract from "../contract.ts";
import { type EventToAmend, findEventToAmend, findLater, findRetirement, type Retirement } from "../queries.ts";

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
  await write(ctx, activity, [retirementOf(ctx, event.id, { replaced_by: correction.id }), correction]);
  return answer(event, correction, entity, true);
});

export const removeActivity = implement(contract.removeActivity, (ctx, { id }) => withdrawActivity(ctx, id));

/**
 * Takes an activity off its timeline, and the stage it led to back. `isPrivate`: because its member does not share it any more, so that
 * only sharing it again brings it back. Throws as `removeActivity` does.
 */
export async function withdrawActivity(ctx: Ctx, id: string, { isPrivate = false } = {}) {
  const activity = await hold(ctx, id);
  const { event, entity, retirement } = activity;
  if (retirement?.value && "removed" in retirement.value) return { ...removalAnswer(event, entity), removed: true };
  refuseRetired(retirement);
  const removal = retirementOf(ctx, event.id, { removed: true, ...(isPrivate ? { private: true } : {}) });
  const moved = entity.type === "person" ? await takeBack(ctx, activity, removal.id) : null;
  await write(ctx, activity, [removal, ...(moved ? [moved.move] : [])]);
  return { ...removalAnswer(event, entity, moved), removed: true };
}

export const restoreActivity = implement(contract.restoreActivity, (ctx, { id }) => bringBackActivity(ctx, id));

/** Puts an activity back that was taken off because it was private; leaves any other as it is, and says false. */
export async function shareActivityAgain(ctx: Ctx, id: string): Promise<boolean> {
  if (!isPrivateRemoval(await findRetirement(ctx.db, id))) return false;
  await bringBackActivity(ctx, id, { isPrivate: true });
  return true;
}

/**
 * Takes an activity off its timeline until its member shares it again; where someone corrected it, the correction. Returns the id of what
 * was taken off; null: it is not there any more.
 */
export async function hideActivity(ctx: Ctx, id: string): Promise<string | null> {
  const refused = await unlessGone(withdrawActivity(ctx, id, { isPrivate: true }));
  if (!isFault(refused)) return id;
  const later = refused.code === "activity_superseded" ? String(refused.extras.current_id) : null;
  if (later) await unlessGone(withdrawActivity(ctx, later, { isPrivate: true }));
  return later;
}

/** As `shareActivityAgain`; false too where the activity is not there any more. */
export const showActivity = async (ctx: Ctx, id: string): Promise<boolean> =>
  (await unlessGone(shareActivityAgain(ctx, id))) === true;

/** What the work returns, or the fault that says that the activity is no longer as it was recorded: others are settled all the same. */
async function unlessGone<T>(work: Promise<T>): Promise<T | Fault> {
  try {
    return await work;
  } catch (error) {
    if (isFault(error) && (error.code === "activity_not_found" || error.code === "activity_superseded")) return error;
    throw error;
  }
}

const isPrivateRemoval = (retirement: Retirement | null): boolean =>
  retirement?.value !== null && retirement !== null && "private" in retirement.value;

/** Puts an activity that was removed back. Throws as `restoreActivity` does. */
async function bringBackActivity(ctx: Ctx, id: string, { isPrivate = false } = {}) {
  const activity = await hold(ctx, id);
  const { event, entity, retirement } = activity;
  if (isPrivateRemoval(retirement) !== isPrivate) throw new Fault("activity_not_found");
  if (!retirement?.value) return { ...removalAnswer(event, entity), removed: false };
  if (!("removed" in retirement.value)) refuseRetired(retirement);
  const restored = retirementOf(ctx, event.id, null);
  const moved = entity.type === "person" ? await moveAgain(ctx, activity, retirement.id) : null;
  await write(ctx, activity, [restored, ...(moved ? [moved.move] : [])]);
  return { ...removalAnswer(event, entity, moved), removed: false };
}

/** An activity under the lock of its contact. */
type LockedActivity = { event: EventToAmend; entity: EntityRow; retirement: Retirement | null };

/** Throws 404 `activity_not_found`. */
async function hold(ctx: Ctx, id: string): Promise<LockedActivity> {
  const event = await findEventToAmend(ctx.db, id);
  if (!event || event.entityId === ctx.workspaceId) throw new Fault("activity_not_found");
  if (event.property === NOTE)
    throw new Fault("activity_not_found", {}, "This tells that a note was saved: correct the note itself.");
  const entity = (await holdEntities(ctx, [event.entityId])).get(event.entityId);
  if (!entity) throw new Fault("activity_not_found");
  return { event, entity, retirement: await findRetirement(ctx.db, id) };
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

/** Records what was decided, and derives the last activity and the rows of the lists again. */
async function write(ctx: Ctx, { entity }: LockedActivity, drafts: readonly Draft[]): Promise<void> {
  const { at } = await recordOne(ctx, { about: { id: entity.id }, drafts, amends: true });
  await rebuildRows(ctx, at, [entity], null);
}

/** A stage that moves because an activity was removed or restored. */
type StageMoveBack = { move: Draft; before: Stage; after: Stage };

/**
 * Takes back the stage that a removed activity led to, when nothing moved it since: to what the rules make of the
 * activities that remain. Null: the stage stays.
 */
async function takeBack(ctx: Ctx, { event, entity }: LockedActivity, causedBy: string): Promise<StageMoveBack | null> {
  const [previous, latest] = await lastStages(ctx, entity);
  if (!latest || latest.causedBy !== event.root) return null;
  const rules = await readStageRules(ctx);
  const rest = await findLater(ctx.db, evidenceIds(entity), latest.seq, event.id);
  const after = rest.reduce<Stage>(
    (stage, { property, value, observedAt, recordedAt }) =>
      stageAfter(rules, stage, { type: typeOf(property), event: eventIn(value), occurredAt: observedAt, recordedAt }),
    stageOf(previous?.value),
  );
  return movedTo(ctx, causedBy, stageOf(latest.value), after);
}

/** Gives back the stage that the removal (`removal`) of an activity took, when nothing moved it since. */
async function moveAgain(ctx: Ctx, { event, entity }: LockedActivity, removal: string): Promise<StageMoveBack | null> {
  const [previous, latest] = await lastStages(ctx, entity);
  if (!latest || latest.causedBy !== removal) return null;
  return movedTo(ctx, event.root, stageOf(latest.value), stageOf(previous?.value));
}

function movedTo(ctx: Ctx, causedBy: string, before: Stage, after: Stage): StageMoveBack | null {
  if (before === after) return null;
  return { move: { ...stateFrom(ctx, STAGE, after), causedBy }, before, after };
}

/** The last two stages that were told of a person. */
async function lastStages(ctx: Ctx, entity: EntityRow): Promise<readonly (StoredEvidence | undefined)[]> {
  const evidence = await findEvidence(ctx.db, entity, [STAGE]);
  const inTime = evidence.toSorted((a, b) => +a.observedAt - +b.observedAt || a.seq - b.seq);
  return [inTime.at(-2), inTime.at(-1)];
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
