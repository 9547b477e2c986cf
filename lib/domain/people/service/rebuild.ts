import { together } from "#lib/core/together.ts";
import { type EntityRow, findEntities } from "#lib/domain/entities/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import {
  deleteRow,
  findCompaniesOf,
  findLatestActivity,
  findLatestEvidence,
  forgetLastActivity,
  recountCompany,
} from "../queries/projection.ts";
import { lockEmployees, refresh, refreshIds } from "./refresh.ts";

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
  if (gone && gone.type !== "workspace") await deleteRow(ctx.db, gone.type, gone.id);
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
