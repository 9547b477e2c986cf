import type { z } from "zod";
import { bookkeeping } from "#lib/core/bookkeeping.ts";
import { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { canonicalJson } from "#lib/core/json.ts";
import { formatTime } from "#lib/core/time.ts";
import type { EntityRow } from "#lib/domain/entities/service.ts";
import {
  authorOf,
  claimsOf,
  findEvidence,
  methodOf,
  type NewEvidence,
  readClock,
  retirementOf,
  type StoredEvidence,
  sourceOf,
  writeEvidence,
} from "#lib/domain/evidence/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { deriveMoves, holdEntities, rebuildRows, type Stage, stageMove, stages } from "#lib/domain/people/service.ts";
import { eventIn, readStageRules, stageAfter } from "#lib/domain/stages/service.ts";
import { labelOf, typeOf } from "#lib/domain/timeline/service.ts";
import { announce } from "#lib/live/announce.ts";
import * as contract from "../contract.ts";
import { type EventToAmend, findEventToAmend, findLater, findRetirement, type Retirement } from "../queries.ts";

/** Wrote a note that is no activity: it is corrected as a note. */
const NOTE = "note.saved";
const STAGE = "pipeline_stage";

export const correctActivity = implement(contract.correctActivity, async (ctx, { id, description, occurred_at }) => {
  if (description === undefined && occurred_at === undefined)
    throw new Fault("invalid_parameter", { parameter: "description" }, "Give a description, a time, or both.");
  const held = await hold(ctx, id);
  const { event, entity, retirement, at } = held;
  refuseRetired(retirement);
  const value = description === undefined ? event.value : described(event.value, description);
  const observedAt = occurred_at ?? event.observedAt;
  const changed = canonicalJson(value) !== canonicalJson(event.value) || +observedAt !== +event.observedAt;
  if (!changed) return answer(event, event, entity, false);
  const correction = { ...evidenceOf(ctx, event, at), value, observedAt };
  await write(ctx, held, [retired(ctx, event, at, { replaced_by: correction.id }), correction]);
  return answer(event, correction, entity, true);
});

export const removeActivity = implement(contract.removeActivity, async (ctx, { id }) => {
  const held = await hold(ctx, id);
  const { event, entity, retirement, at } = held;
  if (retirement?.value && "removed" in retirement.value) return { ...outcome(event, entity), removed: true };
  refuseRetired(retirement);
  const removal = retired(ctx, event, at, { removed: true });
  const moved = entity.type === "person" ? await takeBack(ctx, held, removal.id) : null;
  await write(ctx, held, [removal, ...(moved ? [moved.move] : [])]);
  return { ...outcome(event, entity, moved), removed: true };
});

export const restoreActivity = implement(contract.restoreActivity, async (ctx, { id }) => {
  const held = await hold(ctx, id);
  const { event, entity, retirement, at } = held;
  if (!retirement?.value) return { ...outcome(event, entity), removed: false };
  if (!("removed" in retirement.value)) refuseRetired(retirement);
  const restored = retired(ctx, event, at, null);
  const moved = entity.type === "person" ? await moveAgain(ctx, held, retirement.id) : null;
  await write(ctx, held, [restored, ...(moved ? [moved.move] : [])]);
  return { ...outcome(event, entity, moved), removed: false };
});

/** An activity under the lock of its contact. */
type Held = { event: EventToAmend; entity: EntityRow; retirement: Retirement | null; at: Date };

/** Throws 404 `activity_not_found`. */
async function hold(ctx: Ctx, id: string): Promise<Held> {
  const event = await findEventToAmend(ctx.db, id);
  if (!event || event.entityId === ctx.workspaceId) throw new Fault("activity_not_found");
  if (event.property === NOTE)
    throw new Fault("activity_not_found", {}, "This tells that a note was saved: correct the note itself.");
  const entity = (await holdEntities(ctx, [event.entityId])).get(event.entityId);
  if (!entity) throw new Fault("activity_not_found");
  return { event, entity, retirement: await findRetirement(ctx.db, id), at: await readClock(ctx.db) };
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
const evidenceOf = (
  ctx: Ctx,
  { entityId, property, value, source, observedAt, root }: EventToAmend,
  at: Date,
): NewEvidence => ({
  id: newId(),
  entityId,
  kind: "event",
  property,
  value,
  source,
  method: methodOf(ctx, property),
  observedAt,
  recordedAt: at,
  externalId: null,
  causedBy: root,
});

/** What was decided about an event; null brings it back. */
const retired = (
  ctx: Ctx,
  { id, entityId }: EventToAmend,
  at: Date,
  value: Parameters<typeof retirementOf>[2],
): NewEvidence => ({ ...retirementOf(ctx, id, value), entityId, observedAt: at, recordedAt: at, externalId: null });

/** Writes what was decided, and derives what follows from it again: claims, the last activity, the rows of the lists. */
async function write(ctx: Ctx, { event, entity, at }: Held, evidence: readonly NewEvidence[]): Promise<void> {
  const property = `${bookkeeping.retired}${event.id}`;
  const known = await findEvidence(ctx.db, entity, [property]);
  const mover = { id: entity.id, absorbed: entity.absorbed, known: true };
  const moves = evidence.some((item) => item.property === STAGE) ? [mover] : [];
  const dated = await deriveMoves(ctx, moves, evidence);
  const decided = dated.evidence.filter((item) => item.property === property);
  const claims = [...claimsOf(entity.id, property, [...known, ...decided]), ...dated.claims];
  const seqOf = new Map([...dated.seqOf, ...known.map((item) => [item.id, item.seq] as const)]);
  const written = await writeEvidence(ctx.db, at, authorOf(ctx), dated.evidence, claims, seqOf);
  await rebuildRows(ctx, at, [entity], null);
  const seq = written.at(-1)?.seq;
  if (seq !== undefined)
    ctx.db.afterCommit(() => announce(ctx.workspaceId, { topic: "activity", entity_id: entity.id, seq }));
}

/** A stage that moves because an activity was removed or restored. */
type Moved = { move: NewEvidence; before: Stage; after: Stage };

/**
 * Takes back the stage that a removed activity led to, when nothing moved it since: to what the rules make of the
 * activities that remain. Null: the stage stays.
 */
async function takeBack(ctx: Ctx, { event, entity, at }: Held, causedBy: string): Promise<Moved | null> {
  const [previous, latest] = await lastStages(ctx, entity);
  if (!latest || latest.causedBy !== event.root) return null;
  const rules = await readStageRules(ctx);
  const rest = await findLater(ctx.db, [entity.id, ...entity.absorbed], latest.seq, event.id);
  const after = rest.reduce<Stage>(
    (stage, { property, value, observedAt, recordedAt }) =>
      stageAfter(rules, stage, { type: typeOf(property), event: eventIn(value), occurredAt: observedAt, recordedAt }),
    stageIn(previous),
  );
  return movedTo(ctx, entity, at, causedBy, stageIn(latest), after);
}

/** Gives back the stage that the removal (`removal`) of an activity took, when nothing moved it since. */
async function moveAgain(ctx: Ctx, { event, entity, at }: Held, removal: string): Promise<Moved | null> {
  const [previous, latest] = await lastStages(ctx, entity);
  if (!latest || latest.causedBy !== removal) return null;
  return movedTo(ctx, entity, at, event.root, stageIn(latest), stageIn(previous));
}

const movedTo = (ctx: Ctx, { id }: EntityRow, at: Date, causedBy: string, before: Stage, after: Stage): Moved | null =>
  before === after ? null : { move: stageMove(at, id, sourceOf(ctx), causedBy, after), before, after };

/** The last two stages that were told of a person. */
async function lastStages(ctx: Ctx, entity: EntityRow): Promise<readonly (StoredEvidence | undefined)[]> {
  const told = await findEvidence(ctx.db, entity, [STAGE]);
  const inTime = told.toSorted((a, b) => +a.observedAt - +b.observedAt || a.seq - b.seq);
  return [inTime.at(-2), inTime.at(-1)];
}

const stageIn = (told: StoredEvidence | undefined): Stage =>
  stages.find((stage) => stage === told?.value) ?? "identified";

type Outcome = z.output<typeof contract.removeActivity.output>;

const outcome = ({ id }: EventToAmend, entity: EntityRow, moved: Moved | null = null): Omit<Outcome, "removed"> => ({
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
