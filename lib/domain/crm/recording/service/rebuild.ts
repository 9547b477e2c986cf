import type { Ctx } from "#lib/domain/implement.ts";
import type { EntityRow } from "#lib/domain/records/entities/service.ts";
import { findLatest } from "../queries/activity.ts";
import { deriveEmployers, findCompaniesOf, holdCompanies } from "../queries/employers.ts";
import { deleteRow, setLastActivity } from "../queries/projection.ts";
import { lockEmployees, refresh, refreshIds } from "./refresh.ts";

/**
 * Rebuilds the rows of two records after a merge or its undoing: the one that is `gone` leaves the lists (null after an
 * undoing), people of the companies concerned are shown with the company they now belong to, and counts follow. `at`:
 * when that was.
 */
export async function rebuildRows(
  ctx: Ctx,
  at: Date,
  standing: readonly EntityRow[],
  gone: EntityRow | null,
): Promise<void> {
  const concerned = [...standing, ...(gone ? [gone] : [])];
  const employees = await lockEmployees(ctx, idsOf(concerned, "company"));
  const people = idsOf(concerned, "person");
  const employersOf = async () => (people.length > 0 ? findCompaniesOf(ctx.db, people) : []);
  const before = await employersOf();
  // After an undoing, the statement that writes the people also locks the companies that they return to.
  holdCompanies(ctx.db, [...idsOf(concerned, "company"), ...(gone ? before : [])]);
  if (gone && gone.type !== "workspace") await deleteRow(ctx.db, gone.type, gone.id);
  await deriveRows(ctx, at, standing);
  await refreshIds(ctx, at, employees);
  deriveEmployers(ctx.db, at, [...idsOf(standing, "company"), ...before, ...(await employersOf())]);
}

/**
 * Derives the rows of records again where nothing happened with them: a row that is there keeps the time of its update, and one
 * that is missing gets that of its latest evidence. The caller holds the records.
 */
export async function rebuildRowsAsTheyAre(ctx: Ctx, standing: readonly EntityRow[]): Promise<void> {
  holdCompanies(ctx.db, idsOf(standing, "company"), idsOf(standing, "person"));
  await deriveRows(ctx, null, standing);
  deriveEmployers(ctx.db, null, idsOf(standing, "company"));
}

async function deriveRows(ctx: Ctx, at: Date | null, standing: readonly EntityRow[]): Promise<void> {
  const latest = await findLatest(
    ctx.db,
    standing.map(({ id }) => id),
  );
  const people = idsOf(standing, "person").map((id) => ({ id, activityAt: latest.get(id)?.activityAt ?? null }));
  if (people.length > 0) await setLastActivity(ctx.db, people);
  await refresh(ctx, at, standing, latest);
}

const idsOf = (entities: readonly EntityRow[], type: EntityRow["type"]): string[] =>
  entities.filter((entity) => entity.type === type).map(({ id }) => id);
