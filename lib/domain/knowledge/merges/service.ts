import { nameOfActor } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { canonicalJson } from "#lib/core/json.ts";
import { together } from "#lib/core/together.ts";
import { followMerge, followUnmerge } from "#lib/domain/crm/leads/service.ts";
import { holdWhole, rebuildRows } from "#lib/domain/crm/recording/service.ts";
import * as tasks from "#lib/domain/crm/tasks/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { settleMergedMeetings } from "#lib/domain/knowledge/meetings/service.ts";
import { holdMail, settleMerged } from "#lib/domain/knowledge/messages/service.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { logChanges } from "#lib/domain/records/change-log/service.ts";
import {
  companyDomain,
  type EntityRow,
  evidenceIds,
  findEntity,
  findIdentifiersEver,
  normaliseEmail,
  normaliseLinkedinUrl,
  resolveExisting,
} from "#lib/domain/records/entities/service.ts";
import {
  authorOf,
  deriveAgain,
  deriveBelief,
  findEvidenceByPrefix,
  type NewEvidence,
  readClock,
  removeClaims,
  sourceOf,
  writeEvidence,
} from "#lib/domain/records/evidence/service.ts";
import { isBookkeeping } from "#lib/domain/records/evidence/words.ts";
import { findLabels, knownName } from "#lib/domain/records/names/service.ts";
import { formatTime } from "#lib/text/time.ts";
import * as contract from "./contract.ts";
import {
  absorbEntity,
  countMoves,
  findIdentifierOwners,
  findIdentifiersById,
  findMerge,
  findMergedInto,
  findMergesInto,
  findNamesSaid,
  findRanked,
  insertMerge,
  lockMerge,
  markUndone,
  moveAllIdentifiers,
  moveIdentifiers,
  preferIdentifiers,
  releaseEntity,
  unpreferIdentifiers,
} from "./queries.ts";
import {
  type Differing,
  inCommon,
  keptAnyway,
  type MergeSide,
  preferredBy,
  primaries,
  type Side,
  shownKinds,
  suggestedSide,
  withHigherStage,
} from "./rules.ts";
import { mergedRecord } from "./serialize.ts";

export type { Likely } from "./queries.ts";
export { countLikely, suggestMerges } from "./service/duplicates.ts";

export const mergeAccounts = implement(contract.mergeAccounts, async (ctx, input) => {
  const named = [await resolveExisting(ctx, input.keep), await resolveExisting(ctx, input.drop)] as const;
  if (named.some(({ type }) => type === "workspace")) throw new Fault("cannot_merge");
  if (!input.dry_run) await holdMail(ctx);
  // Another merge may have come first: what the two are now.
  const standing = await holdWhole(
    ctx,
    named.map(({ id }) => id),
  );
  const [keep, drop] = [standing.get(named[0].id), standing.get(named[1].id)];
  if (!keep || !drop) throw new Fault("entity_not_found"); // erased meanwhile
  if (keep.id === drop.id || keep.type !== drop.type) throw new Fault("cannot_merge");
  const moves = await countMoves(ctx.db, drop.id, evidenceIds(drop));
  const compared = await compare(ctx, keep, drop);
  const sides = { keep: keep.id, drop: drop.id };
  const primary = primaries(sides, await findRanked(ctx.db, [keep.id, drop.id], shownKinds));
  const facts = compared.conflicts.filter(({ property }) => !primary.some(({ kind }) => kind === property));
  const differing = [...facts, ...primary.map(conflictOf)];
  const fields = withHigherStage({ ...keptAnyway(differing), ...input.fields }, differing);
  const conflicts = chosen(differing, fields);
  const { in_common } = compared;
  const before = { keep: await recordOf(ctx, keep), drop: await recordOf(ctx, drop) };
  if (input.dry_run) return { merge_id: null, dry_run: true, ...before, moves, conflicts, in_common };

  const preferred = preferredBy(primary, fields);
  await preferIdentifiers(ctx.db, preferred);
  const identifierIds = await moveAllIdentifiers(ctx.db, drop.id, keep.id);
  const followers = await absorbEntity(ctx.db, keep.id, drop.id);
  await settleMerged(ctx, [...evidenceIds(keep), ...evidenceIds(drop)]);
  await settleMergedMeetings(ctx, [keep.id]);
  const id = newId();
  await insertMerge(
    ctx.db,
    { id, keepId: keep.id, dropId: drop.id, identifierIds, followers, preferred },
    nameOfActor(ctx),
  );
  logChanges(ctx, [{ type: "merge", entityId: keep.id, otherId: drop.id, mergeId: id, source: sourceOf(ctx) }]);
  const merged = await entityOf(ctx, keep.id);
  await removeClaims(ctx.db, [drop.id]);
  const at = await readClock(ctx.db);
  await keepChoices(ctx, at, sides, facts, fields);
  await deriveAgain(ctx, [merged]);
  await rebuildRows(ctx, at, [merged], drop);
  await followMerge(ctx, keep.id, drop.id);
  await tasks.followMerge(ctx, keep.id, drop.id);
  await recordAudit(ctx, "record.merged", keep.id, { type: keep.type, other_id: drop.id, merge_id: id });
  return { merge_id: id, dry_run: false, ...before, moves, conflicts, in_common };
});

export const unmergeAccounts = implement(contract.unmergeAccounts, async (ctx, { merge_id }) => {
  const named = await findMerge(ctx.db, merge_id);
  if (!named) throw new Fault("merge_not_found");
  await holdMail(ctx);
  // Locks the two before the row: an erasure of one of them holds its lock and deletes the row.
  await holdWhole(ctx, [named.keepId, named.dropId]);
  const merge = await lockMerge(ctx.db, merge_id);
  if (!merge) throw new Fault("merge_not_found");
  if (merge.undoneAt) throw new Fault("merge_already_undone");
  const at = await readClock(ctx.db);
  if (await findMergedInto(ctx.db, merge.keepId)) throw new Fault("merge_not_latest");
  await moveIdentifiers(ctx.db, merge.identifierIds, merge.keepId, merge.dropId);
  await unpreferIdentifiers(ctx.db, merge.preferred);
  await releaseEntity(ctx.db, merge.keepId, merge.dropId, merge.followers);
  await settleMerged(ctx, [merge.keepId, merge.dropId, ...merge.followers]);
  await settleMergedMeetings(ctx, [merge.keepId, merge.dropId]);
  const both = [await entityOf(ctx, merge.keepId), await entityOf(ctx, merge.dropId)];
  await deriveAgain(ctx, both);
  await rebuildRows(ctx, at, both, null);
  await followUnmerge(ctx, merge.keepId, merge.dropId, merge.followers);
  await tasks.followUnmerge(ctx, merge.keepId, merge.dropId, merge.followers);
  await markUndone(ctx.db, merge.id, at);
  const { id: mergeId, keepId: entityId, dropId: otherId } = merge;
  logChanges(ctx, [{ type: "unmerge", entityId, otherId, mergeId, source: sourceOf(ctx) }], at);
  const [keep, restored] = both as [EntityRow, EntityRow];
  await recordAudit(ctx, "record.separated", keep.id, { type: keep.type, other_id: restored.id, merge_id: mergeId });
  return { keep: await recordOf(ctx, keep), restored: await recordOf(ctx, restored), undone_at: formatTime(at) };
});

/** What was merged into a record and can be told apart again. A record that is part of another is read as that one. */
export const listMerges = implement(contract.listMerges, async (ctx, { focus }) => {
  const { id: keepId, type } = await resolveExisting(ctx, focus);
  if (type === "workspace") throw new Fault("entity_not_found");
  const merges = await findMergesInto(ctx.db, keepId, MOST_MERGES);
  const names = namesSaid(
    await findNamesSaid(
      ctx.db,
      merges.map(({ dropId }) => dropId),
    ),
  );
  const moved = await findIdentifiersById(
    ctx.db,
    merges.flatMap(({ identifierIds }) => identifierIds),
  );
  return {
    merges: merges.map(({ id, dropId, identifierIds, actor, mergedAt }) => ({
      merge_id: id,
      record: { entity_id: dropId, type, name: names.get(dropId) ?? null },
      identifiers: moved
        .filter((one) => identifierIds.includes(one.id) && one.entityId === keepId)
        .map(({ kind, value }) => ({ kind, value })),
      merged_at: formatTime(mergedAt),
      merged_by: actor,
    })),
  };
});

const MOST_MERGES = 50;

/** The names of records, by what was said last of each. */
function namesSaid(states: readonly { entityId: string; property: string; value: unknown }[]): Map<string, string> {
  const latest = Map.groupBy(states, ({ entityId }) => entityId);
  return new Map(
    [...latest].flatMap(([id, all]): [string, string][] => {
      const of = (property: string) => {
        const value = all.findLast((one) => one.property === property)?.value;
        return typeof value === "string" ? value : null;
      };
      const name = knownName({ firstName: of("first_name"), lastName: of("last_name"), name: of("name") });
      return name === null ? [] : [[id, name]];
    }),
  );
}

const kinds = [
  { field: "emails", kind: "email", normalise: normaliseEmail },
  { field: "linkedin_urls", kind: "linkedin_url", normalise: normaliseLinkedinUrl },
  { field: "domains", kind: "domain", normalise: companyDomain },
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

type CheckedIdentifier = {
  value: string;
  kind: "email" | "linkedin_url" | "domain";
  status: (typeof contract.statuses)[number] | "invalid";
  entity_id: string | null;
};

async function checkKind(
  ctx: Ctx,
  kind: CheckedIdentifier["kind"],
  values: readonly string[],
  normalise: (text: string) => string | null,
): Promise<CheckedIdentifier[]> {
  const normal = values.map((value) => normalise(value));
  const wanted = [...new Set(normal.filter((value) => value !== null))];
  const rows = wanted.length > 0 ? await findIdentifierOwners(ctx.db, kind, wanted) : [];
  const rowByValue = new Map(rows.map((row) => [row.value, row]));
  return values.map((value, index) => {
    const canonical = normal[index] ?? null;
    const row = canonical === null ? undefined : rowByValue.get(canonical);
    const status = canonical === null ? "invalid" : ((row?.status ?? "net_new") as CheckedIdentifier["status"]);
    return { value, kind, status, entity_id: row?.entityId ?? null };
  });
}

/** An entity that this transaction holds. */
async function entityOf(ctx: Ctx, id: string): Promise<EntityRow> {
  const entity = await findEntity(ctx.db, id);
  if (!entity) throw new Fault("entity_not_found");
  return entity;
}

async function recordOf(ctx: Ctx, entity: EntityRow) {
  return mergedRecord(entity, await findLabels(ctx.db, [entity.id]));
}

type Conflict = Differing & { keep: Json; drop: Json; result: Json };
type Json = NonNullable<unknown>;
type Fields = Readonly<Record<string, Side>>;

/** The properties in which two records differ, with what is believed by the evidence of both together, and what they have in common. */
async function compare(ctx: Ctx, keep: EntityRow, drop: EntityRow) {
  const [kept, dropped] = [await findEvidenceByPrefix(ctx.db, keep, ""), await findEvidenceByPrefix(ctx.db, drop, "")];
  const current = (evidence: typeof kept) => {
    const belief = deriveBelief(evidence);
    return belief && !belief.ended ? (belief.value as Json) : null;
  };
  const statesOf = (evidence: typeof kept) =>
    Map.groupBy(
      evidence.filter(({ kind, property }) => kind === "state" && !isBookkeeping(property)),
      ({ property }) => property,
    );
  const [mine, theirs] = [statesOf(kept), statesOf(dropped)];
  const conflicts = [...theirs.keys()].sort().flatMap((property): Conflict[] => {
    const [of, other] = [mine.get(property) ?? [], theirs.get(property) ?? []];
    const [a, b] = [current(of), current(other)];
    if (a === null || b === null || canonicalJson(a) === canonicalJson(b)) return [];
    const result = current([...of, ...other].sort((x, y) => x.seq - y.seq)) ?? a;
    const text = canonicalJson(result);
    const side = text === canonicalJson(a) ? "keep" : text === canonicalJson(b) ? "drop" : null;
    return [
      { property, keep: a, drop: b, result, suggested: suggestedSide(property, { keep: a, drop: b, result: side }) },
    ];
  });
  const sideOf = async ({ id }: EntityRow, states: typeof mine): Promise<MergeSide> => ({
    values: new Map([...states].map(([property, evidence]) => [property, current(evidence)])),
    identifiers: await findIdentifiersEver(ctx.db, [id]),
  });
  return { conflicts, in_common: inCommon(await sideOf(keep, mine), await sideOf(drop, theirs)) };
}

/** Two primary identifiers of one kind, of which the record that stays keeps its own unless the caller chooses. */
const conflictOf = ({ kind, keep, drop }: ReturnType<typeof primaries>[number]): Conflict => ({
  property: kind,
  keep: keep.value,
  drop: drop.value,
  result: keep.value,
  suggested: "keep",
});

/** The conflicts with their results as chosen; throws 400 for a property in which the two do not differ. */
function chosen(conflicts: readonly Conflict[], fields: Fields): Conflict[] {
  const unknown = Object.keys(fields).find((name) => !conflicts.some(({ property }) => property === name));
  if (unknown !== undefined)
    throw new Fault("invalid_parameter", { parameter: `fields.${unknown}` }, `The two do not differ in ${unknown}.`);
  return conflicts.map((conflict) => {
    const side = fields[conflict.property];
    return side ? { ...conflict, result: conflict[side] } : conflict;
  });
}

/**
 * Keeps what was chosen as evidence, on the record whose value it is: it counts for both while they are one, and when the
 * merge is undone each has its own value again.
 */
async function keepChoices(
  ctx: Ctx,
  at: Date,
  ids: Readonly<Record<Side, string>>,
  conflicts: readonly Conflict[],
  fields: Fields,
): Promise<void> {
  const evidence = conflicts.flatMap(({ property, ...conflict }): NewEvidence[] => {
    const side = fields[property];
    if (!side) return [];
    const draft = {
      kind: "state",
      property,
      value: conflict[side],
      source: sourceOf(ctx),
      method: "asserted",
    } as const;
    const times = { observedAt: at, recordedAt: at };
    return [{ id: newId(), entityId: ids[side], ...draft, ...times, externalId: null, causedBy: null }];
  });
  if (evidence.length > 0) await writeEvidence(ctx.db, at, authorOf(ctx), evidence, [], new Map());
}
