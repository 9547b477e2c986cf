import { together } from "#lib/core/together.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { findEntities } from "#lib/domain/records/entities/service.ts";
import { readClock } from "#lib/domain/records/evidence/service.ts";
import { deriveEmployers, findCompaniesOf, findEmployeeIds } from "../queries/employers.ts";
import { refresh } from "./refresh.ts";

/** Who is affected when records are removed: companies that lose people, and people who lose their company. */
export type AffectedRecords = { companies: readonly string[]; people: readonly string[] };

/** Called before records are removed for good. */
export async function leaveLists(ctx: Ctx, ids: readonly string[]): Promise<AffectedRecords> {
  const gone = new Set(ids);
  const [employees, companies] = await together([findEmployeeIds(ctx.db, ids), findCompaniesOf(ctx.db, ids)]);
  return { companies: companies.filter((id) => !gone.has(id)), people: employees.filter((id) => !gone.has(id)) };
}

/** Called afterwards: updates the rows of everyone affected. */
export async function takeUpWithout(ctx: Ctx, { companies, people }: AffectedRecords): Promise<void> {
  const at = await readClock(ctx.db);
  await refresh(ctx, at, [...(await findEntities(ctx.db, people)).values()]);
  deriveEmployers(ctx.db, at, companies);
}
