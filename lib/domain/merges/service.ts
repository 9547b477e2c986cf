import { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { canonicalJson } from "#lib/core/json.ts";
import { formatTime } from "#lib/core/time.ts";
import { together } from "#lib/core/together.ts";
import { logChanges } from "#lib/domain/change-log/service.ts";
import {
  type EntityRow,
  findEntities,
  findEntity,
  normaliseDomain,
  normaliseEmail,
  normaliseLinkedinUrl,
  resolveExisting,
} from "#lib/domain/entities/service.ts";
import {
  deriveAgain,
  deriveBelief,
  findEvidenceByPrefix,
  lockEntities,
  readClock,
  removeClaims,
  sourceOf,
} from "#lib/domain/evidence/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { followMerge, followUnmerge } from "#lib/domain/leads/service.ts";
import { rebuildRows } from "#lib/domain/people/service.ts";
import * as contract from "./contract.ts";
import {
  absorbEntity,
  countMoves,
  findKnown,
  findMerge,
  findMergedInto,
  findRecordName,
  findSuggestions,
  insertMerge,
  lockMerge,
  markUndone,
  moveAllIdentifiers,
  moveIdentifiers,
  releaseEntity,
} from "./queries.ts";

export const mergeAccounts = implement(
  contract.mergeAccounts,
  async (ctx, input) => {
    const named = [await resolveExisting(ctx, input.keep), await resolveExisting(ctx, input.drop)] as const;
    if (named.some(({ type }) => type === "workspace")) throw new Fault("cannot_merge");
    await lockEntities(
      ctx.db,
      named.map(({ id }) => id),
    );
    // Another merge may have come first: the two ids are resolved again under the locks.
    const [keep, drop] = [await standing(ctx, named[0].id), await standing(ctx, named[1].id)];
    if (keep.id === drop.id || keep.type !== drop.type) throw new Fault("cannot_merge");
    const moves = await countMoves(ctx.db, drop.id, [drop.id, ...drop.absorbed]);
    const conflicts = await differences(ctx, keep, drop);
    const before = { keep: await recordOf(ctx, keep), drop: await recordOf(ctx, drop) };
    if (input.dry_run) return { merge_id: null, dry_run: true, ...before, moves, conflicts };

    const identifierIds = await moveAllIdentifiers(ctx.db, drop.id, keep.id);
    const followers = await absorbEntity(ctx.db, keep.id, drop.id);
    const id = newId();
    await insertMerge(
      ctx.db,
      { id, keepId: keep.id, dropId: drop.id, identifierIds, followers },
      `${ctx.actor.type}:${ctx.actor.id}`,
    );
    logChanges(ctx, [{ type: "merge", entityId: keep.id, otherId: drop.id, mergeId: id, source: sourceOf(ctx) }]);
    const merged = await standing(ctx, keep.id);
    await removeClaims(ctx.db, [drop.id]);
    await deriveAgain(ctx, merged);
    await rebuildRows(ctx, await readClock(ctx.db), [merged], drop);
    await followMerge(ctx, keep.id, drop.id);
    return { merge_id: id, dry_run: false, ...before, moves, conflicts };
  },
  { writes: ({ dry_run }) => !dry_run },
);

export const unmergeAccounts = implement(contract.unmergeAccounts, async (ctx, { merge_id }) => {
  const named = await findMerge(ctx.db, merge_id);
  if (!named) throw new Fault("merge_not_found");
  // Locks the two before the row: an erasure of one of them holds its lock and deletes the row.
  await lockEntities(ctx.db, [named.keepId, named.dropId]);
  const merge = await lockMerge(ctx.db, merge_id);
  if (!merge) throw new Fault("merge_not_found");
  if (merge.undoneAt) throw new Fault("merge_already_undone");
  const at = await readClock(ctx.db);
  if (await findMergedInto(ctx.db, merge.keepId)) throw new Fault("merge_not_latest");
  await moveIdentifiers(ctx.db, merge.identifierIds, merge.keepId, merge.dropId);
  await releaseEntity(ctx.db, merge.keepId, merge.dropId, merge.followers);
  const both = [await standing(ctx, merge.keepId), await standing(ctx, merge.dropId)];
  for (const entity of both) await deriveAgain(ctx, entity);
  await rebuildRows(ctx, at, both, null);
  await followUnmerge(ctx, merge.keepId, merge.dropId, merge.followers);
  await markUndone(ctx.db, merge.id, at);
  const { id: mergeId, keepId: entityId, dropId: otherId } = merge;
  logChanges(ctx, [{ type: "unmerge", entityId, otherId, mergeId, source: sourceOf(ctx) }], at);
  const [keep, restored] = both as [EntityRow, EntityRow];
  return { keep: await recordOf(ctx, keep), restored: await recordOf(ctx, restored), undone_at: formatTime(at) };
});

export const suggestMerges = implement(contract.suggestMerges, async (ctx, { limit }) => {
  const suggestions = await findSuggestions(ctx.db, limit);
  const shown = suggestions.map(({ ids, ...suggestion }) => ({ ...suggestion, ids: ids.slice(0, 10) }));
  const standing = await findEntities(ctx.db, [...new Set(shown.flatMap(({ ids }) => ids))]);
  const found = await together(
    shown.map(async ({ ids, reason, detail }) => {
      const entities = new Map(ids.flatMap((id) => standing.get(id) ?? []).map((entity) => [entity.id, entity]));
      return { records: await together([...entities.values()].map((each) => recordOf(ctx, each))), reason, detail };
    }),
  );
  // Two that were merged since they were found, or of which one was erased, are not suggested.
  return { suggestions: found.filter(({ records }) => records.length > 1) };
});

const kinds = [
  { field: "emails", kind: "email", normalise: normaliseEmail },
  { field: "linkedin_urls", kind: "linkedin_url", normalise: normaliseLinkedinUrl },
  { field: "domains", kind: "domain", normalise: normaliseDomain },
] as const;

const MAX_VALUES = 50_000;

export const checkList = implement(contract.checkList, async (ctx, input) => {
  const total = kinds.reduce((sum, { field }) => sum + (input[field]?.length ?? 0), 0);
  if (total > MAX_VALUES)
    throw new Fault("invalid_parameter", { parameter: "emails" }, `At most ${MAX_VALUES} values in one request.`);
  const results = (
    await together(kinds.map(({ field, kind, normalise }) => checkKind(ctx, kind, input[field] ?? [], normalise)))
  ).flat();
  const summary: Record<string, number> = Object.fromEntries(
    [...contract.statuses, "invalid"].map((status) => [status, 0]),
  );
  for (const { status } of results) summary[status] = (summary[status] ?? 0) + 1;
  return { results, summary: { ...summary, total: results.length } };
});

type Checked = {
  value: string;
  kind: "email" | "linkedin_url" | "domain";
  status: (typeof contract.statuses)[number] | "invalid";
  entity_id: string | null;
};

async function checkKind(
  ctx: Ctx,
  kind: Checked["kind"],
  values: readonly string[],
  normalise: (text: string) => string | null,
): Promise<Checked[]> {
  const normal = values.map((value) => normalise(value));
  const wanted = [...new Set(normal.filter((value) => value !== null))];
  const rows = wanted.length > 0 ? await findKnown(ctx.db, kind, wanted) : [];
  const known = new Map(rows.map((row) => [row.value, row]));
  return values.map((value, index) => {
    const canonical = normal[index] ?? null;
    const row = canonical === null ? undefined : known.get(canonical);
    const status = canonical === null ? "invalid" : ((row?.status ?? "net_new") as Checked["status"]);
    return { value, kind, status, entity_id: row?.entityId ?? null };
  });
}

/** The entity an id means now; throws 404 `entity_not_found` when it was erased since it was resolved. */
async function standing(ctx: Ctx, id: string): Promise<EntityRow> {
  const entity = await findEntity(ctx.db, id);
  if (!entity) throw new Fault("entity_not_found");
  return entity;
}

async function recordOf(ctx: Ctx, { id, type }: EntityRow) {
  return {
    entity_id: id,
    type: type === "company" ? ("company" as const) : ("person" as const),
    name: await findRecordName(ctx.db, id),
  };
}

/** Properties in which the two differ, with the value derived from the evidence of both together. */
async function differences(ctx: Ctx, keep: EntityRow, drop: EntityRow) {
  const [kept, dropped] = [await findEvidenceByPrefix(ctx.db, keep, ""), await findEvidenceByPrefix(ctx.db, drop, "")];
  const current = (evidence: typeof kept) => {
    const belief = deriveBelief(evidence);
    return belief && !belief.ended ? belief.value : null;
  };
  const of = (evidence: typeof kept, property: string) =>
    evidence.filter((item) => item.property === property && item.kind === "state");
  const properties = new Set(dropped.filter((item) => item.kind === "state").map((item) => item.property));
  return [...properties].sort().flatMap((property) => {
    const [mine, theirs] = [of(kept, property), of(dropped, property)];
    const [a, b] = [current(mine), current(theirs)];
    if (a === null || b === null || canonicalJson(a) === canonicalJson(b)) return [];
    const together = [...mine, ...theirs].sort((x, y) => x.seq - y.seq);
    return [{ property, keep: a, drop: b, result: current(together) }];
  });
}
