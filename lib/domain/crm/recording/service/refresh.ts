import { giveTurn } from "#lib/core/turns.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import type { EntityRow } from "#lib/domain/records/entities/service.ts";
import { lockEntities } from "#lib/domain/records/evidence/service.ts";
import type { Latest } from "../queries/activity.ts";
import { deriveLatest, findEmployeeIds } from "../queries/employers.ts";
import { keepNoteNames } from "../queries/note-names.ts";
import { upsertCompanies, upsertPeople } from "../queries/projection.ts";
import { findSubjects } from "../queries/world.ts";
import { type RowIngredients, shownAsStored } from "../rules/contact.ts";
import { type CompanyRow, companyRow, type PersonRow, personRow } from "../rules/rows.ts";
import type { Label } from "../rules/world.ts";
import { holdStanding } from "./hold.ts";

/**
 * Derives the rows of people and companies again from what is known now, companies first, since people are shown with
 * them. `at`: when something new was recorded about them, null when nothing was. `latest`: the last activity of each, and when
 * anything was last recorded about it, for a row that is missing.
 */
export async function refresh(
  ctx: Ctx,
  at: Date | null,
  entities: readonly EntityRow[],
  latest: ReadonlyMap<string, Latest> = new Map(),
): Promise<void> {
  for (const type of ["company", "person"] as const) {
    const these = entities.filter((entity) => entity.type === type);
    if (these.length === 0) continue;
    const subjects = await findSubjects(
      ctx.db,
      these.map(({ id }) => id),
    );
    const shown = these.flatMap((entity) => {
      const subject = subjects.get(entity.id);
      return subject ? [shownAsStored(entity, subject, latest.get(entity.id))] : [];
    });
    await showRows(ctx, at, shown);
  }
}

/** Writes the rows of records, companies first, and those of the people of a company that has another name. */
async function showRows(ctx: Ctx, at: Date | null, shown: readonly RowIngredients[]): Promise<void> {
  const rows = await rowsOf(shown);
  const employees = await lockRenamed(ctx, rows);
  sendRows(ctx, at, rows);
  await refreshIds(ctx, at, employees);
}

type RowsByItem<Row> = readonly { item: RowIngredients; row: Row }[];
/** Rows to be written, with what they are made of. */
export type Rows = { companies: RowsByItem<CompanyRow>; people: RowsByItem<PersonRow> };

/** The rows of records: companies first, with whose new names people are shown. */
export async function rowsOf(shown: readonly RowIngredients[]): Promise<Rows> {
  const companies: { item: RowIngredients; row: CompanyRow }[] = [];
  const people: { item: RowIngredients; row: PersonRow }[] = [];
  for (const item of shown) if (item.type === "company") companies.push({ item, row: companyRow(item.ingredients) });
  const labels = new Map(companies.map(({ row: { id, name, domain } }) => [id, { name, domain }]));
  for (const [place, item] of shown.entries()) {
    await giveTurn(place);
    const { type, ingredients, employer } = item;
    if (type !== "person") continue;
    people.push({ item, row: personRow(ingredients, employer && { ...employer, ...labels.get(employer.id) }) });
  }
  return { companies, people };
}

/** Locks the people of companies that get another name, or a row that was missing. Called before anything is written. */
export async function lockRenamed(ctx: Ctx, { companies }: Rows): Promise<string[]> {
  const renamed = companies.filter(
    ({ item: { before }, row }) => before && (before.status === null || isRenamed(before, row)),
  );
  const ids = renamed.map(({ row }) => row.id);
  return ids.length > 0 ? lockEmployees(ctx, ids) : [];
}

/** Sent with the COMMIT. */
export function sendRows(ctx: Ctx, at: Date | null, { companies, people }: Rows): void {
  nameInNotes(ctx, [...companies, ...people]);
  if (companies.length > 0)
    upsertCompanies(
      ctx,
      companies.map(({ item: { isNew, activityAt, learnedAt }, row }) => ({
        ...{ row, activityAt, isNew },
        updatedAt: at ?? learnedAt,
      })),
    );
  if (people.length === 0) return;
  upsertPeople(
    ctx,
    people.map(({ item: { isNew, activityAt, learnedAt, before }, row }) => {
      const stays = activityAt === null && before?.status === row.status && before.formerId === row.companyId;
      return { row, activityAt, updatedAt: at ?? learnedAt, isNew, stays };
    }),
  );
  const left = people.flatMap(({ item, row }) => {
    const former = item.before?.formerId ?? null;
    return former !== null && former !== row.companyId ? [former] : [];
  });
  deriveLatest(ctx.db, at, left);
}

const isRenamed = (before: Label, { name, domain }: Label): boolean => before.name !== name || before.domain !== domain;

/** Keeps the current names with the notes, which are found by them. */
function nameInNotes(ctx: Ctx, written: RowsByItem<{ id: string; search: string }>): void {
  const renamed = written.flatMap(({ item: { before }, row }) =>
    before?.noted && (!before.noted.named || before.noted.search !== row.search) ? [row] : [],
  );
  if (renamed.length > 0) keepNoteNames(ctx.db, renamed);
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
  const standing = new Map([...(await holdStanding(ctx, ids)).values()].map((entity) => [entity.id, entity]));
  await refresh(ctx, at, [...standing.values()]);
}
