import { type Fault, isFault } from "#lib/core/errors.ts";
import {
  type DraftResult,
  holdStanding,
  type Report,
  type ReportResult,
  record,
  STAGE,
  type Stage,
} from "#lib/domain/crm/recording/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { type EntityRow, findStatusOfAction } from "#lib/domain/records/entities/service.ts";
import { findEvidenceOn, stateFrom } from "#lib/domain/records/evidence/service.ts";
import { findStages } from "../queries/stages.ts";

/** A person whose stage was set: the stage before, null when none had been said, and the observation that set it. */
export type MovedPerson = { id: string; from: Stage | null; observation: string };

/**
 * Sets the stage of people, as if each was patched: evidence, news and triggers. Those who have it stay as they are. `standing`:
 * how many people there are among these ids; those erased since are left out, and those merged with another count once.
 */
export async function moveStages(
  ctx: Ctx,
  ids: readonly string[],
  stage: Stage,
): Promise<{ moved: MovedPerson[]; standing: number }> {
  const people = await recordsAmong(ctx, ids);
  const personIds = people.map(({ id }) => id);
  const stages = await findStages(ctx.db, personIds);
  const movers = people.filter(({ id }) => stages.has(id) && stages.get(id) !== stage);
  const evidence = await stageEvidence(ctx, movers);
  const recorded = await record(
    ctx,
    movers.map(({ id }) => reportOf(ctx, id, stage)),
  );
  const moved = movers.map(({ id }, place): MovedPerson => {
    const result = recorded[place] as ReportResult | Fault;
    if (isFault(result)) throw result;
    const [{ id: observation }] = result.outcomes as [DraftResult];
    return { id, from: evidence.has(id) ? (stages.get(id) ?? null) : null, observation };
  });
  return { moved, standing: people.length };
}

/** Puts stages back where nothing was said of the stage since. Returns how many. */
export async function moveStagesBack(ctx: Ctx, moved: readonly MovedPerson[]): Promise<number> {
  const before = new Map(moved.map((one) => [one.observation, one]));
  const people = await recordsAmong(
    ctx,
    moved.map(({ id }) => id),
  );
  const evidence = await stageEvidence(ctx, people);
  const back = people.flatMap((entity) => {
    const own = before.get(evidence.get(entity.id)?.at(-1)?.id ?? "");
    return own ? [reportOf(ctx, entity.id, own.from)] : [];
  });
  await record(ctx, back);
  return back.length;
}

/** The records that these ids mean now, each once, locked. */
async function recordsAmong(ctx: Ctx, ids: readonly string[]): Promise<EntityRow[]> {
  const standing = ids.length > 0 ? await holdStanding(ctx, ids) : new Map<string, EntityRow>();
  return [...new Map([...standing.values()].map((entity) => [entity.id, entity])).values()];
}

const reportOf = (ctx: Ctx, id: string, stage: Stage | null): Report => ({
  about: { id },
  drafts: [stateFrom(ctx, STAGE, stage)],
});

/** What was said of the stages of people, by their ids, in the order it was learned. */
async function stageEvidence(ctx: Ctx, people: readonly EntityRow[]) {
  const owners = new Map(people.flatMap(({ id, absorbed }) => [id, ...absorbed].map((part) => [part, id] as const)));
  const evidence = owners.size > 0 ? await findEvidenceOn(ctx.db, [...owners.keys()], [STAGE]) : [];
  return Map.groupBy(evidence, ({ entityId }) => owners.get(entityId) as string);
}

/**
 * Archives records or brings them back. `action`: the bulk action that does it. `ofAction`: only those whose status was set by
 * that bulk action, and by nothing since.
 */
export async function setStatuses(
  ctx: Ctx,
  ids: readonly string[],
  status: EntityRow["status"],
  action: string | null,
  ofAction?: string,
): Promise<{ changed: string[]; standing: number }> {
  const records = await recordsAmong(ctx, ids);
  const recordIds = records.map(({ id }) => id);
  const wanted = new Set(ofAction === undefined ? recordIds : await findStatusOfAction(ctx.db, recordIds, ofAction));
  const changing = records.filter((entity) => wanted.has(entity.id) && entity.status !== status);
  const changed = changing.map(({ id }) => id);
  await record(
    ctx,
    changed.map((id) => ({ about: { id }, drafts: [], status, action })),
  );
  return { changed, standing: records.length };
}
