import { together } from "#lib/core/together.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import type { EntityRow } from "#lib/domain/records/entities/service.ts";
import { findLatestActivity, findLatestEvidence } from "../queries/activity.ts";
import { deriveEmployers, findCompaniesOf } from "../queries/employers.ts";
import { deleteRow, forgetLastActivity } from "../queries/projection.ts";
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
  // Only rebuilding derives every company anyway.
  const employersOf = async () => (at && people.length > 0 ? findCompaniesOf(ctx.db, people) : []);
  const before = await employersOf();
  if (gone && gone.type !== "workspace") await deleteRow(ctx.db, gone.type, gone.id);
  for (const entity of standing) {
    const ids = [entity.id, ...entity.absorbed];
    if (entity.type === "person") await forgetLastActivity(ctx.db, entity.id);
    const [latest, learned] = await together([findLatestActivity(ctx.db, ids), at ?? findLatestEvidence(ctx.db, ids)]);
    await refresh(ctx, learned, [entity], latest ? new Map([[entity.id, latest]]) : undefined);
  }
  await refreshIds(ctx, at, employees);
  const derived = standing.filter(({ type }) => type === "company").map(({ id }) => id);
  deriveEmployers(ctx.db, at, [...derived, ...before, ...(await employersOf())]);
}
