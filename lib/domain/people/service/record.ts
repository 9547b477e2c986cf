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
  lockEntity,
  type Recorded,
  recordEvidence,
  sourceOf,
} from "#lib/domain/observations/service.ts";
import {
  deleteRow,
  findClaimValues,
  findCompanyLabel,
  findEmployeeIds,
  findEmployer,
  findLatestActivity,
  recountCompany,
  upsertCompany,
  upsertPerson,
} from "../queries/projection.ts";
import { companyRow, type Ingredients, personRow } from "../rules/rows.ts";

/**
 * Records drafts about an entity, whoever it is: evidence, claims and, for people and companies, the row of the list,
 * in the caller's transaction. A new person or company also gets its source, and whoever gets a business e-mail their
 * employer.
 */
export async function recordAbout(ctx: Ctx, entity: Resolved, drafts: readonly Draft[]): Promise<Recorded> {
  const implied = [...originOf(ctx, entity, drafts), ...(await employerOf(ctx, entity, drafts))];
  const all = [...implied, ...drafts];
  const properties = [...new Set(all.filter((draft) => draft.kind === "state").map((draft) => draft.property))];
  const [at, standing, known] = await Promise.all([
    lockEntity(ctx.db, entity.id),
    findEntity(ctx.db, entity.id),
    findEvidence(ctx.db, entity, properties),
  ]);
  // Merged into another while this waited: what is said is about that one now.
  if (standing && standing.id !== entity.id) return recordAbout(ctx, { ...entity, ...standing }, drafts);
  const recorded = await recordEvidence(ctx, entity, at, all, known);
  if (recorded.recorded > 0 || entity.attached.length > 0) await refresh(ctx, entity, latestActivity(all, at));
  const own = recorded.ids.slice(implied.length);
  return {
    ...recorded,
    ids: own,
    recorded: recorded.recorded - implied.length,
    claims: recorded.claims - implied.length,
  };
}

/** Derives the row of a person or company again from what is known now. */
export async function refresh(
  ctx: Ctx,
  entity: Omit<EntityRow, "absorbed">,
  activityAt: Date | null = null,
): Promise<void> {
  if (entity.type === "person") return refreshPerson(ctx, entity, activityAt);
  if (entity.type === "company") return refreshCompany(ctx, entity, activityAt);
}

async function refreshPerson(ctx: Ctx, entity: Omit<EntityRow, "absorbed">, activityAt: Date | null): Promise<void> {
  const [known, employer] = await Promise.all([readIngredients(ctx, entity), findEmployer(ctx.db, entity.id)]);
  await upsertPerson(ctx.db, personRow(known, employer), activityAt);
}

/** A company that is called something else now is shown so beside each of its people. */
async function refreshCompany(ctx: Ctx, entity: Omit<EntityRow, "absorbed">, activityAt: Date | null): Promise<void> {
  const [known, before] = await Promise.all([readIngredients(ctx, entity), findCompanyLabel(ctx.db, entity.id)]);
  const row = companyRow(known);
  await upsertCompany(ctx.db, row, activityAt);
  if (!before || (before.name === row.name && before.domain === row.domain)) return;
  for (const id of await findEmployeeIds(ctx.db, entity.id)) {
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
  const employees = (await Promise.all(companies.map(({ id }) => findEmployeeIds(ctx.db, id)))).flat();
  if (gone && gone.type !== "workspace") await deleteRow(ctx.db, gone.type, gone.id);
  for (const entity of standing) {
    if (entity.type === "person") await deleteRow(ctx.db, "person", entity.id);
    await refresh(ctx, entity, await findLatestActivity(ctx.db, [entity.id, ...entity.absorbed]));
  }
  for (const id of employees) {
    const person = await findEntity(ctx.db, id);
    if (person) await refreshPerson(ctx, person, null);
  }
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
function originOf(ctx: Ctx, entity: Resolved, drafts: readonly Draft[]): Draft[] {
  if (!entity.created || drafts.some((draft) => draft.property === "source" && draft.kind === "state")) return [];
  const source = drafts[0]?.source ?? sourceOf(ctx);
  return [state("source", source, source, "observed")];
}

/** The employer that a new business e-mail names; the company is created when nobody knows it yet. */
async function employerOf(ctx: Ctx, entity: Resolved, drafts: readonly Draft[]): Promise<Draft[]> {
  if (entity.type !== "person" || drafts.some((draft) => draft.property === "works_at")) return [];
  const email = entity.attached.find(({ kind }) => kind === "email")?.value;
  const domain = email ? companyDomainOf(email) : null;
  if (!domain) return [];
  const source = drafts[0]?.source ?? sourceOf(ctx);
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
