import { type Fault, isFault } from "#lib/core/errors.ts";
import {
  type DraftResult,
  holdStanding,
  type Report,
  type ReportResult,
  record,
} from "#lib/domain/crm/recording/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { type EntityRow, findStatusOfAction } from "#lib/domain/records/entities/service.ts";
import { findEvidenceOn, ownersOf, stateFrom } from "#lib/domain/records/evidence/service.ts";
import { findOwners, findStages } from "../queries/current-states.ts";

/** The states that are set on many records at once. */
type SettableState = "pipeline_stage" | "owner";

/** A record whose state was set: the value before, null when none had been said, and the observation that set it. */
export type ChangedState = { id: string; from: string | null; observation: string };

/**
 * Sets the stage or owner of records, as if each was patched: evidence, news and triggers. Those who have it stay as they are. An empty
 * `value` is no owner. `standing`: how many records there are among these ids; those erased since are left out, and those merged
 * with another count once.
 */
export async function setStates(
  ctx: Ctx,
  what: "people" | "companies",
  ids: readonly string[],
  property: SettableState,
  value: string,
): Promise<{ changed: ChangedState[]; standing: number }> {
  const records = await recordsAmong(ctx, ids);
  const recordIds = records.map(({ id }) => id);
  const values = await (property === "owner" ? findOwners(ctx.db, what, recordIds) : findStages(ctx.db, recordIds));
  const changing = records.filter(({ id }) => values.has(id) && values.get(id) !== value);
  const evidence = await evidenceOf(ctx, changing, property);
  const recorded = await record(
    ctx,
    changing.map(({ id }) => reportOf(ctx, id, property, value || null)),
  );
  const changed = changing.map(({ id }, place): ChangedState => {
    const result = recorded[place] as ReportResult | Fault;
    if (isFault(result)) throw result;
    const [{ id: observation }] = result.outcomes as [DraftResult];
    return { id, from: evidence.has(id) ? values.get(id) || null : null, observation };
  });
  return { changed, standing: records.length };
}

/** Puts states back where nothing was said of them since. Returns how many. */
export async function setStatesBack(
  ctx: Ctx,
  property: SettableState,
  changed: readonly ChangedState[],
): Promise<number> {
  const before = new Map(changed.map((one) => [one.observation, one]));
  const records = await recordsAmong(
    ctx,
    changed.map(({ id }) => id),
  );
  const evidence = await evidenceOf(ctx, records, property);
  const back = records.flatMap((entity) => {
    const own = before.get(evidence.get(entity.id)?.at(-1)?.id ?? "");
    return own ? [reportOf(ctx, entity.id, property, own.from)] : [];
  });
  await record(ctx, back);
  return back.length;
}

/** The records that these ids mean now, each once, locked. */
async function recordsAmong(ctx: Ctx, ids: readonly string[]): Promise<EntityRow[]> {
  const standing = ids.length > 0 ? await holdStanding(ctx, ids) : new Map<string, EntityRow>();
  return [...new Map([...standing.values()].map((entity) => [entity.id, entity])).values()];
}

const reportOf = (ctx: Ctx, id: string, property: SettableState, value: string | null): Report => ({
  about: { id },
  drafts: [stateFrom(ctx, property, value)],
});

/** What was said of a property of records, by their ids, in the order it was learned. */
async function evidenceOf(ctx: Ctx, records: readonly EntityRow[], property: SettableState) {
  const owners = ownersOf(records);
  const evidence = owners.size > 0 ? await findEvidenceOn(ctx.db, [...owners.keys()], [property]) : [];
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
