import {
  companyDomainOf,
  type EntityRow,
  findEntity,
  findIdentifiers,
  type Resolved,
  resolveByIdentifiers,
} from "#lib/domain/entities/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import {
  type Draft,
  findEvidence,
  lockEntities,
  lockEntity,
  type Recorded,
  recordEvidence,
  sourceOf,
} from "#lib/domain/observations/service.ts";
import { emit, type NewEvent } from "#lib/domain/outbox/service.ts";
import {
  deleteRow,
  findClaimValues,
  findCompanyLabel,
  findEmployeeIds,
  findEmployer,
  findLatestActivity,
  findStage,
  recountCompany,
  upsertCompanies,
  upsertPeople,
} from "../queries/projection.ts";
import { isHigher, type Stage } from "../rules/fields.ts";
import { companyRow, type Ingredients, personRow } from "../rules/rows.ts";

/**
 * Records drafts about an entity, whoever it is: evidence, claims and, for people and companies, the row of the list,
 * in the caller's transaction. A new person or company also gets its source, and whoever gets a business e-mail their
 * employer.
 */
export async function recordAbout(
  ctx: Ctx,
  entity: Resolved,
  drafts: readonly Draft[],
  source = drafts[0]?.source ?? sourceOf(ctx),
): Promise<Recorded> {
  const implied = [...originOf(entity, drafts, source), ...(await employerOf(ctx, entity, drafts, source))];
  const all = [...implied, ...drafts];
  const properties = [...new Set(all.filter((draft) => draft.kind === "state").map((draft) => draft.property))];
  const staged = entity.type === "person" && properties.includes("pipeline_stage");
  const [at, standing, known, before] = await Promise.all([
    lockEntity(ctx.db, entity.id),
    findEntity(ctx.db, entity.id),
    findEvidence(ctx.db, entity, properties),
    staged ? findStage(ctx.db, entity.id) : null,
  ]);
  // Merged into another while this waited: what is said is about that one now.
  if (standing && standing.id !== entity.id) return recordAbout(ctx, { ...entity, ...standing }, drafts, source);
  const recorded = await recordEvidence(ctx, entity, at, all, known);
  const stage =
    recorded.recorded > 0 || entity.attached.length > 0 ? await refresh(ctx, entity, latestActivity(all, at)) : null;
  if (entity.created && entity.type === "person") {
    emit(ctx, at, [{ type: "contact.created", entityId: entity.id, observationId: recorded.ids[0] ?? null }]);
  } else if (before && stage && isHigher(stage, before)) {
    const moved = recorded.ids[all.findLastIndex(({ property }) => property === "pipeline_stage")] ?? null;
    emit(ctx, at, [stageAdvanced(entity.id, moved, before, stage, null)]);
  }
  const own = recorded.ids.slice(implied.length);
  return {
    ...recorded,
    ids: own,
    recorded: recorded.recorded - implied.length,
    claims: recorded.claims - implied.length,
  };
}

/** The event of a person's stage going up; `causedBy` is the activity that moved it, null when somebody set it. */
export const stageAdvanced = (
  entityId: string,
  observationId: string | null,
  from: Stage,
  to: Stage,
  causedBy: string | null,
): NewEvent => ({ type: "stage.advanced", entityId, observationId, data: { from, to, activity_id: causedBy } });

/** Derives the row of a person or company again from what is known now; returns a person's stage. */
export async function refresh(
  ctx: Ctx,
  entity: Omit<EntityRow, "absorbed">,
  activityAt: Date | null = null,
): Promise<Stage | null> {
  if (entity.type === "person") return refreshPerson(ctx, entity, activityAt);
  if (entity.type === "company") await refreshCompany(ctx, entity, activityAt);
  return null;
}

async function refreshPerson(ctx: Ctx, entity: Omit<EntityRow, "absorbed">, activityAt: Date | null): Promise<Stage> {
  const [known, employer] = await Promise.all([readIngredients(ctx, entity), findEmployer(ctx.db, entity.id)]);
  const row = personRow(known, employer);
  await upsertPeople(ctx.db, [{ row, activityAt }]);
  return row.pipelineStage;
}

/** A company that is called something else now is shown so beside each of its people. */
async function refreshCompany(ctx: Ctx, entity: Omit<EntityRow, "absorbed">, activityAt: Date | null): Promise<void> {
  const [known, before] = await Promise.all([readIngredients(ctx, entity), findCompanyLabel(ctx.db, entity.id)]);
  const row = companyRow(known);
  const renamed = before !== null && (before.name !== row.name || before.domain !== row.domain);
  const employees = renamed ? await lockEmployees(ctx, [entity.id]) : [];
  await upsertCompanies(ctx.db, [{ row, activityAt }]);
  await refreshEach(ctx, employees);
}

/**
 * The people of companies, locked: whoever records about one of them waits, and sees the company's new row. Before the
 * company's row is written, because those who hold a person's lock wait for that row.
 */
async function lockEmployees(ctx: Ctx, companyIds: readonly string[]): Promise<string[]> {
  const employees = (await Promise.all(companyIds.map((id) => findEmployeeIds(ctx.db, id)))).flat();
  if (employees.length > 0) await lockEntities(ctx.db, employees);
  return employees;
}

async function refreshEach(ctx: Ctx, personIds: readonly string[]): Promise<void> {
  for (const id of personIds) {
    const person = await findEntity(ctx.db, id);
    if (person) await refreshPerson(ctx, person, null);
  }
}

/**
 * Makes the rows of two records anew after a merge or its undoing: the one that is `gone` leaves the lists (null after
 * an undoing), people of the companies concerned are shown with the company they now belong to, and counts follow.
 */
export async function rebuildRows(ctx: Ctx, standing: readonly EntityRow[], gone: EntityRow | null): Promise<void> {
  const companies = [...standing, ...(gone ? [gone] : [])].filter(({ type }) => type === "company");
  const employees = await lockEmployees(
    ctx,
    companies.map(({ id }) => id),
  );
  if (gone && gone.type !== "workspace") await deleteRow(ctx.db, gone.type, gone.id);
  for (const entity of standing) {
    if (entity.type === "person") await deleteRow(ctx.db, "person", entity.id);
    await refresh(ctx, entity, await findLatestActivity(ctx.db, [entity.id, ...entity.absorbed]));
  }
  await refreshEach(ctx, employees);
  for (const { type, id, absorbed } of standing) {
    if (type === "company") await recountCompany(ctx.db, id, await findLatestActivity(ctx.db, [id, ...absorbed]));
  }
}

async function readIngredients(ctx: Ctx, entity: Omit<EntityRow, "absorbed">): Promise<Ingredients> {
  const [identifiers, claims] = await Promise.all([
    findIdentifiers(ctx.db, entity.id),
    findClaimValues(ctx.db, entity.id),
  ]);
  return { id: entity.id, status: entity.status, createdAt: entity.createdAt, identifiers, claims };
}

/** Where a new entity came from, unless a draft says so itself. */
function originOf(entity: Resolved, drafts: readonly Draft[], source: string): Draft[] {
  if (!entity.created || drafts.some((draft) => draft.property === "source" && draft.kind === "state")) return [];
  return [state("source", source, source, "observed")];
}

/** The employer that a new business e-mail names; the company is created when nobody knows it yet. */
async function employerOf(ctx: Ctx, entity: Resolved, drafts: readonly Draft[], source: string): Promise<Draft[]> {
  if (entity.type !== "person" || drafts.some((draft) => draft.property === "works_at")) return [];
  const email = entity.attached.find(({ kind }) => kind === "email")?.value;
  const domain = email ? companyDomainOf(email) : null;
  if (!domain) return [];
  const company = await resolveByIdentifiers(ctx, [{ kind: "domain", value: domain }], "company");
  if (company.created) await recordAbout(ctx, company, [state("source", source, source, "observed")]);
  return [state("works_at", company.id, source, "inferred")];
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
    .filter((draft) => draft.kind === "event")
    .map((draft) => Math.min(draft.observedAt?.getTime() ?? at.getTime(), at.getTime()));
  return times.length === 0 ? null : new Date(Math.max(...times));
}
