import { Fault } from "#lib/core/errors.ts";
import { together } from "#lib/core/together.ts";
import {
  type EntityRow,
  findEntities,
  foreseeEach,
  type Owners,
  type Resolved,
  resolveEach,
} from "#lib/domain/entities/service.ts";
import { ownEvents } from "#lib/domain/evidence/contract.ts";
import {
  type About,
  type Draft,
  type EvidenceOf,
  findEvidenceOn,
  foreseeEvidenceOn,
  lockEntities,
  type Recorded,
  readClock,
  recordEvidenceOn,
} from "#lib/domain/evidence/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { emit } from "#lib/domain/outbox/service.ts";
import { findStages } from "../queries/projection.ts";
import type { Stage } from "../rules/fields.ts";
import { type Full, findEmployersOf, fullOf, type Said } from "./implied.ts";
import { newsOf, STAGE } from "./news.ts";
import { type Known, refresh } from "./refresh.ts";

/** Records drafts about an entity, like `recordEach` about many. */
export async function recordAbout(
  ctx: Ctx,
  entity: Resolved,
  drafts: readonly Draft[],
  source?: string,
): Promise<Recorded> {
  const [recorded] = await recordEach(ctx, [{ entity, drafts, ...(source === undefined ? {} : { source }) }]);
  return recorded as Recorded;
}

/**
 * Records drafts about entities of any type: evidence, claims and, for people and companies, the rows of the lists, in
 * the caller's transaction and in as few statements for many as for one. A new person or company also gets its source,
 * and a person who gets a business e-mail also gets their employer. An entity may come several times. `founding` is told
 * of the companies that are created for that, and `changing` of what changes rows, before any row is written. `first`: nothing was
 * recorded before about those that this transaction created, so what is recorded now is all there is about them, and is not read.
 * `owners`: the caller has locked the identifiers of the companies too, and read who has them.
 */
export async function recordEach(
  ctx: Ctx,
  said: readonly Said[],
  { founding = () => undefined, ...terms }: RecordTerms & { founding?: (companyId: string) => unknown } = {},
): Promise<Recorded[]> {
  const { employers, founded } = await findEmployersOf(ctx, said, (inside, wanted) =>
    resolveEach(inside, wanted, { source: said[0]?.source, owners: terms.owners }),
  );
  for (const { entity } of founded) founding(entity.id);
  const full = said.map((item) => fullOf(ctx, item, employers));
  return ofGiven(said, full, await recordFull(ctx, [...founded, ...full], terms), founded.length);
}

/** What `recordEach` would record; writes and locks nothing. */
export async function foreseeRecorded(ctx: Ctx, said: readonly Said[], owners?: Owners): Promise<Recorded[]> {
  const { employers, founded } = await findEmployersOf(ctx, said, (inside, wanted) =>
    foreseeEach(inside, wanted, owners),
  );
  const full = said.map((item) => fullOf(ctx, item, employers));
  const all = [...founded, ...full];
  const at = await readClock(ctx.db);
  const { results } = await foreseeEvidenceOn(ctx, at, aboutsOf(all, await findKnown(ctx, all)));
  return ofGiven(said, full, results, founded.length);
}

/** The results of the given drafts, without those that were implied. */
const ofGiven = (said: readonly Said[], full: readonly Full[], recorded: readonly Recorded[], founded: number) =>
  recorded.slice(founded).map((result, index): Recorded => {
    const implied = full[index]?.implied ?? 0;
    const { ids, recorded: count, believed, derived } = result;
    const given = new Set(said[index]?.drafts.map(({ property }) => property));
    return {
      ...result,
      ids: ids.slice(implied),
      recorded: count - implied,
      believed: believed.slice(implied),
      derived: derived.filter(({ property }) => given.has(property)),
    };
  });

type RecordTerms = { changing?: (changes: readonly Full[]) => Promise<void>; first?: boolean; owners?: Owners };

async function recordFull(ctx: Ctx, full: readonly Full[], terms: RecordTerms): Promise<Recorded[]> {
  if (full.length === 0) return [];
  const ids = [...new Set(full.map(({ entity }) => entity.id))];
  const known = full.filter(({ entity }) => !entity.created).map(({ entity }) => entity.id);
  const staged = full.filter((item) => item.entity.type === "person" && statesOf(item).includes(STAGE));
  const [, at, standing, evidence, stages] = await together([
    lockEntities(ctx.db, [...new Set(known)]), // what this transaction creates no other one sees
    readClock(ctx.db),
    findEntities(ctx.db, ids),
    findKnown(ctx, full),
    staged.length > 0
      ? findStages(
          ctx.db,
          staged.map(({ entity }) => entity.id),
        )
      : new Map<string, Stage>(),
  ]);
  if (ids.some((id) => !standing.has(id))) throw new Fault("entity_not_found");
  // Merged into another while this waited: the drafts are about that one now.
  if (ids.some((id) => standing.get(id)?.id !== id))
    return recordFull(
      ctx,
      full.map((item) => ({ ...item, entity: { ...item.entity, ...(standing.get(item.entity.id) as EntityRow) } })),
      terms,
    );
  const recorded = await recordEvidenceOn(ctx, at, aboutsOf(full, evidence));
  // Archived or brought back while this waited: the row is written with the status of now.
  const current = full.map((item) => ({ ...item, entity: { ...item.entity, ...statusIn(standing, item.entity.id) } }));
  await showChanged(ctx, at, current, recorded, stages, terms);
  return recorded;
}

function statusIn(standing: ReadonlyMap<string, EntityRow>, id: string): Partial<Pick<EntityRow, "status">> {
  const now = standing.get(id);
  return now ? { status: now.status } : {};
}

const statesOf = ({ drafts }: Full) => drafts.filter(({ kind }) => kind === "state").map(({ property }) => property);

/** The evidence there is on the properties that drafts are about. */
async function findKnown(ctx: Ctx, full: readonly Full[]): Promise<EvidenceOf[]> {
  const properties = [...new Set(full.flatMap(statesOf))];
  const known = full.filter(({ entity }) => !entity.created).flatMap(({ entity }) => [entity.id, ...entity.absorbed]);
  return known.length > 0 && properties.length > 0 ? findEvidenceOn(ctx.db, known, properties) : [];
}

function aboutsOf(full: readonly Full[], evidence: readonly EvidenceOf[]): About[] {
  const evidenceOf = Map.groupBy(evidence, ({ entityId }) => entityId);
  return full.map(({ entity, drafts }) => {
    const known = [entity.id, ...entity.absorbed].flatMap((id) => evidenceOf.get(id) ?? []);
    return { subject: entity, drafts, known: known.sort((a, b) => a.seq - b.seq) };
  });
}

/** Rebuilds the rows of what changed, and adds outbox events for new people and for stages that went up. */
async function showChanged(
  ctx: Ctx,
  at: Date,
  full: readonly Full[],
  recorded: readonly Recorded[],
  before: ReadonlyMap<string, Stage>,
  { changing, first = false }: RecordTerms,
): Promise<void> {
  const changed = new Map<string, EntityRow & { first: boolean }>();
  const activity = new Map<string, Date>();
  const changes = full.filter(({ entity }, index) => recorded[index]?.recorded !== 0 || entity.attached.length > 0);
  await changing?.(changes);
  for (const { entity, drafts } of changes) {
    changed.set(entity.id, { ...entity, first: first && entity.created });
    const latest = latestActivity(drafts, at);
    const sofar = activity.get(entity.id);
    if (latest && (!sofar || latest > sofar)) activity.set(entity.id, latest);
  }
  const known = first ? newlyKnown(full, recorded) : new Map<string, Known>();
  await refresh(ctx, at, [...changed.values()], activity, known);
  emit(ctx, at, newsOf(full, recorded, before));
}

/** What is known of entities that were created for exactly one of the items: what it gave them, and nothing else. */
function newlyKnown(full: readonly Full[], recorded: readonly Recorded[]): Map<string, Known> {
  const known = new Map<string, Known>();
  const told = new Set<string>();
  for (const [index, { entity }] of full.entries()) {
    const first = !told.has(entity.id);
    told.add(entity.id);
    if (!first || !entity.created) {
      known.delete(entity.id);
      continue;
    }
    const { derived } = recorded[index] as Recorded;
    const current = derived.filter(({ property, belief }) => belief.ended === null && !property.includes("."));
    known.set(entity.id, {
      identifiers: entity.attached.toReversed(), // the latest first
      claims: new Map(current.map(({ property, belief }) => [property, belief.value])),
    });
  }
  return known;
}

/** The latest of min(when it happened, when we learned it) over events: a meeting booked for next week is activity today. */
function latestActivity(drafts: readonly Draft[], at: Date): Date | null {
  const times = drafts
    .filter(({ kind, property }) => kind === "event" && !ownEvents.includes(property))
    .map((draft) => Math.min(draft.observedAt?.getTime() ?? at.getTime(), at.getTime()));
  return times.length === 0 ? null : new Date(Math.max(...times));
}
