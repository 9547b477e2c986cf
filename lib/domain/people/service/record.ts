import { Fault, isFault } from "#lib/core/errors.ts";
import { isUuid } from "#lib/core/ids.ts";
import { together } from "#lib/core/together.ts";
import {
  companyDomainOf,
  type EntityRow,
  findEntities,
  findIdentifiersOf,
  foreseeEach,
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
  lockEntitiesLate,
  type Recorded,
  readClock,
  recordEvidenceOn,
  sourceOf,
} from "#lib/domain/evidence/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { emit, type NewEvent } from "#lib/domain/outbox/service.ts";
import { findNamedInNotes, keepNoteNames, type NamedInNotes } from "../queries/note-names.ts";
import {
  deleteRow,
  type Employer,
  findClaimValues,
  findCompaniesOf,
  findCompanyLabels,
  findEmployeeIds,
  findEmployers,
  findEmployersNamed,
  findLatestActivity,
  findLatestEvidence,
  findStages,
  forgetLastActivity,
  recountCompany,
  upsertCompanies,
  upsertPeople,
} from "../queries/projection.ts";
import { isHigher, type Stage } from "../rules/fields.ts";
import { companyRow, type Ingredients, personRow, stageOf } from "../rules/rows.ts";

/**
 * Drafts about one entity. `source`: the source of what is derived from them automatically; default: that of the
 * drafts.
 */
export type Said = { entity: Resolved; drafts: readonly Draft[]; source?: string };

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
 * of the companies that are created for that. `first`: nothing was recorded before about those that this transaction
 * created, so what is recorded now is all there is about them, and is not read.
 */
export async function recordEach(
  ctx: Ctx,
  said: readonly Said[],
  { founding = () => undefined, first = false }: { founding?: (companyId: string) => unknown; first?: boolean } = {},
): Promise<Recorded[]> {
  const { employers, founded } = await findEmployersOf(ctx, said, (inside, wanted) =>
    resolveEach(inside, wanted, said[0]?.source),
  );
  for (const { entity } of founded) founding(entity.id);
  const full = said.map((item) => fullOf(ctx, item, employers));
  return ofGiven(said, full, await recordFull(ctx, [...founded, ...full], first), founded.length);
}

/** What `recordEach` would record; writes and locks nothing. */
export async function foreseeRecorded(ctx: Ctx, said: readonly Said[]): Promise<Recorded[]> {
  const { employers, founded } = await findEmployersOf(ctx, said, foreseeEach);
  const full = said.map((item) => fullOf(ctx, item, employers));
  const all = [...founded, ...full];
  const at = await readClock(ctx.db);
  const { results } = await foreseeEvidenceOn(ctx, at, aboutsOf(all, await findKnown(ctx, all)));
  return ofGiven(said, full, results, founded.length);
}

function fullOf(ctx: Ctx, item: Said, employers: ReadonlyMap<string, string>): Full {
  const implied = [...originOf(ctx, item), ...worksAtOf(ctx, item, employers)];
  return { entity: item.entity, implied: implied.length, drafts: [...implied, ...item.drafts] };
}

/** What came of the given drafts, without those that were implied. */
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

/**
 * Locks entities and returns, by the given ids, what they are now: one that was merged while this waited becomes what
 * it was merged into. Throws 404 `entity_not_found` when one is gone.
 */
export async function holdEntities(ctx: Ctx, ids: readonly string[]): Promise<ReadonlyMap<string, EntityRow>> {
  const standing = await holdStanding(ctx, ids);
  if (ids.some((id) => !standing.has(id))) throw new Fault("entity_not_found");
  return standing;
}

/** As `holdEntities`; those that are gone are left out. */
export async function holdStanding(ctx: Ctx, ids: readonly string[]): Promise<ReadonlyMap<string, EntityRow>> {
  await lockEntities(ctx.db, ids);
  const standing = await findEntities(ctx.db, ids);
  const kept = [...standing.values()].map(({ id }) => id).filter((id) => !ids.includes(id));
  await lockEntitiesLate(ctx.db, kept);
  return standing;
}

/** The drafts about an entity, preceded by those that follow from them automatically. */
type Full = { entity: Resolved; implied: number; drafts: readonly Draft[] };

async function recordFull(ctx: Ctx, full: readonly Full[], first: boolean): Promise<Recorded[]> {
  if (full.length === 0) return [];
  const ids = [...new Set(full.map(({ entity }) => entity.id))];
  const staged = full.filter((item) => item.entity.type === "person" && statesOf(item).includes(STAGE));
  const [, at, standing, evidence, stages] = await together([
    lockEntities(ctx.db, ids),
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
      first,
    );
  const recorded = await recordEvidenceOn(ctx, at, aboutsOf(full, evidence));
  // Archived or brought back while this waited: the row is written with the status of now.
  const current = full.map((item) => ({ ...item, entity: { ...item.entity, ...statusIn(standing, item.entity.id) } }));
  await showChanged(ctx, at, current, recorded, stages, first ? newlyKnown(full, recorded) : new Map());
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
  known: ReadonlyMap<string, Known>,
): Promise<void> {
  const changed = new Map<string, EntityRow>();
  const activity = new Map<string, Date>();
  for (const [index, { entity, drafts }] of full.entries()) {
    if (recorded[index]?.recorded === 0 && entity.attached.length === 0) continue;
    changed.set(entity.id, entity);
    const latest = latestActivity(drafts, at);
    const sofar = activity.get(entity.id);
    if (latest && (!sofar || latest > sofar)) activity.set(entity.id, latest);
  }
  await refresh(ctx, at, [...changed.values()], activity, known);
  emit(ctx, at, newsOf(full, recorded, before));
}

/** What a row is made of, besides the entity. */
type Known = Pick<Ingredients, "identifiers" | "claims">;

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

/** New people and stages that went up, in the order of the drafts. */
function newsOf(full: readonly Full[], recorded: readonly Recorded[], before: ReadonlyMap<string, Stage>): NewEvent[] {
  const events: NewEvent[] = [];
  const stands = new Map(before);
  for (const [index, { entity, drafts }] of full.entries()) {
    if (entity.type !== "person") continue;
    const { ids, derived } = recorded[index] as Recorded;
    const belief = derived.find(({ property }) => property === STAGE)?.belief;
    const from = stands.get(entity.id);
    const to = belief || entity.created ? stageOf(belief?.ended ? undefined : belief?.value) : from;
    if (to) stands.set(entity.id, to);
    if (entity.created) {
      events.push({ type: "contact.created", entityId: entity.id, observationId: ids[0] ?? null });
    } else if (from && to && isHigher(to, from)) {
      const moved = ids[drafts.findLastIndex(({ kind, property }) => kind === "state" && property === STAGE)];
      events.push(stageAdvanced(entity.id, moved ?? null, from, to, null));
    }
  }
  return events;
}

const STAGE = "pipeline_stage";

/** The event of a person's stage going up; `causedBy` is the activity that moved it, null when somebody set it. */
export const stageAdvanced = (
  entityId: string,
  observationId: string | null,
  from: Stage,
  to: Stage,
  causedBy: string | null,
): NewEvent => ({ type: "stage.advanced", entityId, observationId, data: { from, to, activity_id: causedBy } });

/** `created`: in this transaction, so that nothing else can be known of it yet. */
type Shown = Omit<EntityRow, "absorbed"> & { created?: boolean };

/**
 * Derives the rows of people and companies again from what is known now, companies first, since people are shown with
 * them. `at`: when something new was recorded about them, null when nothing was. `activity`: the latest of what was just
 * recorded about each. `known`: all that is known of some of them, which is then not read.
 */
export async function refresh(
  ctx: Ctx,
  at: Date | null,
  entities: readonly Shown[],
  activity: ReadonlyMap<string, Date> = new Map(),
  known: ReadonlyMap<string, Known> = new Map(),
): Promise<void> {
  const companies = entities.filter(({ type }) => type === "company");
  if (companies.length > 0) await refreshCompanies(ctx, at, companies, activity, known);
  const people = entities.filter(({ type }) => type === "person");
  if (people.length > 0) await refreshPeople(ctx, at, people, activity, known);
}

async function refreshPeople(
  ctx: Ctx,
  at: Date | null,
  people: readonly Shown[],
  activity: ReadonlyMap<string, Date>,
  known: ReadonlyMap<string, Known>,
): Promise<void> {
  const [ingredients, employers, noted] = await together([
    readIngredients(ctx, people, known),
    readEmployers(ctx, people, known),
    findNamedInNotes(ctx.db, oldIds(people)),
  ]);
  const rows = ingredients.map((known) => personRow(known, employers.get(known.id) ?? null));
  keepNoteNames(ctx.db, renamedIn(noted, rows));
  await upsertPeople(ctx, writesOf(rows, people, at, activity));
}

async function readEmployers(
  ctx: Ctx,
  people: readonly Shown[],
  known: ReadonlyMap<string, Known>,
): Promise<Map<string, Employer>> {
  const unread = people.flatMap(({ id }) => (known.has(id) ? [] : [id]));
  const links = people.flatMap(({ id }): [string, string][] => {
    const company = known.get(id)?.claims.get("works_at");
    return typeof company === "string" && isUuid(company) ? [[id, company]] : [];
  });
  const [employers, named] = await together([
    unread.length > 0 ? findEmployers(ctx.db, unread) : new Map<string, Employer>(),
    links.length > 0
      ? findEmployersNamed(
          ctx.db,
          links.map(([, company]) => company),
        )
      : new Map<string, Employer>(),
  ]);
  for (const [person, company] of links) {
    const employer = named.get(company);
    if (employer) employers.set(person, employer);
  }
  return employers;
}

function writesOf<Row extends { id: string }>(
  rows: readonly Row[],
  entities: readonly Shown[],
  updatedAt: Date | null,
  activity: ReadonlyMap<string, Date>,
) {
  const created = new Set(entities.flatMap((entity) => (entity.created ? [entity.id] : [])));
  return rows.map((row) => ({
    row,
    updatedAt,
    activityAt: activity.get(row.id) ?? null,
    created: created.has(row.id),
  }));
}

const oldIds = (entities: readonly Shown[]): string[] => entities.filter(({ created }) => !created).map(({ id }) => id);

/** The rows of people and companies whose notes are not yet found by their current name. */
function renamedIn<Row extends { id: string; search: string }>(
  noted: readonly NamedInNotes[],
  rows: readonly Row[],
): Row[] {
  const before = new Map(noted.map((known) => [known.id, known]));
  return rows.filter(({ id, search }) => {
    const known = before.get(id);
    return known !== undefined && (!known.named || known.search !== search);
  });
}

/** A company's new name is shown beside each of its people. */
async function refreshCompanies(
  ctx: Ctx,
  at: Date | null,
  companies: readonly Shown[],
  activity: ReadonlyMap<string, Date>,
  known: ReadonlyMap<string, Known>,
): Promise<void> {
  const [ingredients, labels, noted] = await together([
    readIngredients(ctx, companies, known),
    findCompanyLabels(
      ctx.db,
      companies.flatMap(({ id }) => (known.has(id) ? [] : [id])),
    ),
    findNamedInNotes(ctx.db, oldIds(companies)),
  ]);
  const rows = ingredients.map(companyRow);
  keepNoteNames(ctx.db, renamedIn(noted, rows));
  const before = new Map(labels.map((label) => [label.id, label]));
  const renamed = rows.filter(({ id, name, domain }) => {
    const label = before.get(id);
    return label !== undefined && (label.name !== name || label.domain !== domain);
  });
  const employees =
    renamed.length > 0
      ? await lockEmployees(
          ctx,
          renamed.map(({ id }) => id),
        )
      : [];
  await upsertCompanies(ctx, writesOf(rows, companies, at, activity));
  await refreshIds(ctx, at, employees);
}

/**
 * The people of companies, locked: others who record about them wait, and then see the company's new row. Called before
 * the company's row is written, because writers that hold a person's lock wait for that row.
 */
async function lockEmployees(ctx: Ctx, companyIds: readonly string[]): Promise<string[]> {
  const employees = await findEmployeeIds(ctx.db, companyIds);
  if (employees.length > 0) await lockEntities(ctx.db, employees);
  return employees;
}

/** Locked people who were merged while this waited are shown as what they were merged into. */
async function refreshIds(ctx: Ctx, at: Date | null, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const standing = new Map([...(await findEntities(ctx.db, ids)).values()].map((entity) => [entity.id, entity]));
  const unlocked = [...standing.keys()].filter((id) => !ids.includes(id));
  if (unlocked.length > 0) await lockEntities(ctx.db, unlocked);
  await refresh(ctx, at, [...standing.values()]);
}

/**
 * Rebuilds the rows of two records after a merge or its undoing: the one that is `gone` leaves the lists (null after an
 * undoing), people of the companies concerned are shown with the company they now belong to, and counts follow. `at`:
 * when that was; null when nothing happened and the rows are derived again as they are: a row that is there keeps the
 * time of its update, and one that is missing gets that of its latest evidence.
 */
export async function rebuildRows(
  ctx: Ctx,
  at: Date | null,
  standing: readonly EntityRow[],
  gone: EntityRow | null,
): Promise<void> {
  const companies = [...standing, ...(gone ? [gone] : [])].filter(({ type }) => type === "company");
  const employees = await lockEmployees(
    ctx,
    companies.map(({ id }) => id),
  );
  const people = [...standing, ...(gone ? [gone] : [])].filter(({ type }) => type === "person").map(({ id }) => id);
  const employers = at && people.length > 0 ? await findCompaniesOf(ctx.db, people) : [];
  if (gone && gone.type !== "workspace") await deleteRow(ctx.db, at, gone.type, gone.id);
  for (const entity of standing) {
    const ids = [entity.id, ...entity.absorbed];
    if (entity.type === "person") await forgetLastActivity(ctx.db, entity.id);
    const [latest, learned] = await together([findLatestActivity(ctx.db, ids), at ?? findLatestEvidence(ctx.db, ids)]);
    await refresh(ctx, learned, [entity], latest ? new Map([[entity.id, latest]]) : undefined);
  }
  await refreshIds(ctx, at, employees);
  for (const { type, id, absorbed } of standing) {
    if (type === "company") await recountCompany(ctx.db, at, id, await findLatestActivity(ctx.db, [id, ...absorbed]));
  }
  // The latest activity of the people's companies may be earlier now; only rebuilding derives every company anyway.
  if (at && people.length > 0)
    await recountEmployers(ctx, at, [...employers, ...(await findCompaniesOf(ctx.db, people))]);
}

/** Counts the people of companies again, and takes their latest activity from them. In the order in which everyone locks them. */
export async function recountEmployers(ctx: Ctx, at: Date | null, ids: readonly string[]): Promise<void> {
  const found = await findEntities(ctx.db, [...new Set(ids)].sort());
  for (const { id, absorbed } of found.values())
    await recountCompany(ctx.db, at, id, await findLatestActivity(ctx.db, [id, ...absorbed]));
}

async function readIngredients(
  ctx: Ctx,
  entities: readonly Shown[],
  known: ReadonlyMap<string, Known>,
): Promise<Ingredients[]> {
  const ids = entities.flatMap(({ id }) => (known.has(id) ? [] : [id]));
  const [identifiers, claims] =
    ids.length > 0 ? await together([findIdentifiersOf(ctx.db, ids), findClaimValues(ctx.db, ids)]) : [[], []];
  const named = Map.groupBy(identifiers, ({ entityId }) => entityId);
  const believed = Map.groupBy(claims, ({ entityId }) => entityId);
  return entities.map(({ id, status, createdAt }) => ({
    id,
    status,
    createdAt,
    ...(known.get(id) ?? {
      identifiers: named.get(id) ?? [],
      claims: new Map((believed.get(id) ?? []).map(({ property, value }) => [property, value])),
    }),
  }));
}

/** The source of what is derived automatically. */
const sourceBehind = (ctx: Ctx, { drafts, source }: Said): string => source ?? drafts[0]?.source ?? sourceOf(ctx);

/** Where a new entity came from, unless a draft says so itself. */
function originOf(ctx: Ctx, said: Said): Draft[] {
  const { entity, drafts } = said;
  if (!entity.created || drafts.some((draft) => draft.property === "source" && draft.kind === "state")) return [];
  const source = sourceBehind(ctx, said);
  return [state("source", source, source, "observed")];
}

/** The domain of the business e-mail a person was just given; null when none says where they work, or a draft does. */
function newDomainOf({ entity, drafts }: Said): string | null {
  if (entity.type !== "person" || drafts.some((draft) => draft.property === "works_at")) return null;
  const emails = entity.attached.filter(({ kind }) => kind === "email");
  return emails.map(({ value }) => companyDomainOf(value)).find((domain) => domain !== null) ?? null;
}

/** The companies that new business e-mails name, by domain; unknown ones are created, with drafts about them. */
async function findEmployersOf(ctx: Ctx, said: readonly Said[], resolve: typeof foreseeEach) {
  const firstOf = new Map<string, Said>();
  for (const item of said) {
    const domain = newDomainOf(item);
    if (domain !== null && !firstOf.has(domain)) firstOf.set(domain, item);
  }
  const employers = new Map<string, string>();
  const founded: Full[] = [];
  const wanted = [...firstOf.keys()].map((value) => ({ named: [{ kind: "domain", value }], type: "company" }) as const);
  const companies = await resolve(ctx, wanted);
  for (const [index, [domain, by]] of [...firstOf].entries()) {
    const company = companies[index];
    if (isFault(company)) throw company;
    if (!company) throw new Error("a company was not resolved");
    employers.set(domain, company.id);
    const source = sourceBehind(ctx, by);
    if (company.created)
      founded.push({ entity: company, implied: 1, drafts: [state("source", source, source, "observed")] });
  }
  return { employers, founded };
}

function worksAtOf(ctx: Ctx, said: Said, employers: ReadonlyMap<string, string>): Draft[] {
  const company = employers.get(newDomainOf(said) ?? "");
  return company === undefined ? [] : [state("works_at", company, sourceBehind(ctx, said), "inferred")];
}

const state = (property: string, value: string, source: string, method: Draft["method"]): Draft => ({
  kind: "state",
  property,
  value,
  source,
  method,
  observedAt: null,
});

/** The latest of min(when it happened, when we learned it) over events: a meeting booked for next week is activity today. */
function latestActivity(drafts: readonly Draft[], at: Date): Date | null {
  const times = drafts
    .filter(({ kind, property }) => kind === "event" && !ownEvents.includes(property))
    .map((draft) => Math.min(draft.observedAt?.getTime() ?? at.getTime(), at.getTime()));
  return times.length === 0 ? null : new Date(Math.max(...times));
}
