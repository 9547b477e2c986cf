import { isUuid } from "#lib/core/ids.ts";
import { together } from "#lib/core/together.ts";
import { giveTurn } from "#lib/core/turns.ts";
import { type EntityRow, findEntities, findIdentifiersOf } from "#lib/domain/entities/service.ts";
import { lockEntities } from "#lib/domain/evidence/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { findNamedInNotes, keepNoteNames, type NamedInNotes } from "../queries/note-names.ts";
import {
  type Employer,
  findClaimValues,
  findCompanyLabels,
  findEmployeeIds,
  findEmployers,
  findEmployersNamed,
  upsertCompanies,
  upsertPeople,
} from "../queries/projection.ts";
import { companyRow, type Ingredients, type PersonRow, personRow } from "../rules/rows.ts";

/** What a row is made of, besides the entity. */
export type Known = Pick<Ingredients, "identifiers" | "claims">;

/** `created`: in this transaction, so that nothing else can be known of it yet. `first`: it has no row yet either. */
type Shown = Omit<EntityRow, "absorbed"> & { created?: boolean; first?: boolean };

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
  const rows: PersonRow[] = [];
  for (const [place, known] of ingredients.entries()) {
    await giveTurn(place);
    rows.push(personRow(known, employers.get(known.id) ?? null));
  }
  keepNoteNames(ctx.db, renamedIn(noted, rows));
  upsertPeople(ctx, writesOf(rows, people, at, activity));
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
  const byId = new Map(entities.map((entity) => [entity.id, entity]));
  return rows.map((row) => {
    const { created = false, first = false } = byId.get(row.id) ?? {};
    return { row, updatedAt, activityAt: activity.get(row.id) ?? null, created, first };
  });
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
  upsertCompanies(ctx, writesOf(rows, companies, at, activity));
  await refreshIds(ctx, at, employees);
}

/**
 * The people of companies, locked: others who record about them wait, and then see the company's new row. Called before
 * the company's row is written, because writers that hold a person's lock wait for that row.
 */
export async function lockEmployees(ctx: Ctx, companyIds: readonly string[]): Promise<string[]> {
  const employees = await findEmployeeIds(ctx.db, companyIds);
  if (employees.length > 0) await lockEntities(ctx.db, employees);
  return employees;
}

/** Locked people who were merged while this waited are shown as what they were merged into. */
export async function refreshIds(ctx: Ctx, at: Date | null, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const standing = new Map([...(await findEntities(ctx.db, ids)).values()].map((entity) => [entity.id, entity]));
  const unlocked = [...standing.keys()].filter((id) => !ids.includes(id));
  if (unlocked.length > 0) await lockEntities(ctx.db, unlocked);
  await refresh(ctx, at, [...standing.values()]);
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
