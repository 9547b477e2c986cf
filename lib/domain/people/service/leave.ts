import { findEntity } from "#lib/domain/entities/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { findCompaniesOf, findEmployeeIds, findLatestActivity, recountCompany } from "../queries/projection.ts";
import { refresh } from "./record.ts";

/** Whom the removal of some records concerns: companies that lose people, and people who lose their company. */
export type Bereaved = { companies: readonly string[]; people: readonly string[] };

/** Called before records are removed for good. */
export async function leaveLists(ctx: Ctx, ids: readonly string[]): Promise<Bereaved> {
  const gone = new Set(ids);
  const employees: string[] = [];
  for (const id of ids) employees.push(...(await findEmployeeIds(ctx.db, id)));
  const companies = await findCompaniesOf(ctx.db, ids);
  return { companies: companies.filter((id) => !gone.has(id)), people: employees.filter((id) => !gone.has(id)) };
}

/** Called after: makes the rows and counts of those concerned say what is left. */
export async function takeUpWithout(ctx: Ctx, { companies, people }: Bereaved): Promise<void> {
  for (const id of people) {
    const person = await findEntity(ctx.db, id);
    if (person) await refresh(ctx, person);
  }
  for (const id of companies) {
    const company = await findEntity(ctx.db, id);
    if (company) await recountCompany(ctx.db, id, await findLatestActivity(ctx.db, [id, ...company.absorbed]));
  }
}
