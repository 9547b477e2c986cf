import { isFault } from "#lib/core/errors.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import type { Identifier } from "#lib/domain/records/entities/service.ts";
import { findNamed } from "../queries/companies.ts";
import { companyMeant } from "../rules/named.ts";
import type { RowResult } from "../rules/progress.ts";
import { type ReadRecord, type ReadyRow, skipped } from "./prepare.ts";

const nameIn = (named: readonly Identifier[]): string | undefined => named.find(({ kind }) => kind === "name")?.value;

/** Companies with these names; by name. */
async function namesakes(ctx: Ctx, names: readonly (string | undefined)[]) {
  const wanted = [...new Set(names.filter((name) => name !== undefined))];
  return Map.groupBy(wanted.length > 0 ? await findNamed(ctx.db, wanted) : [], ({ name }) => name);
}

/** Rows about companies that are named by their name alone are about the company that is called so. Others get a result. */
export async function nameCompanies(
  ctx: Ctx,
  rows: readonly ReadRecord[],
  results: (RowResult | null)[],
): Promise<ReadRecord[]> {
  const byName = await namesakes(
    ctx,
    rows.map(({ given }) => nameIn(given.more)),
  );
  return rows.flatMap((row) => {
    const name = nameIn(row.given.more);
    if (name === undefined) return [row];
    const named = companyMeant(name, byName.get(name) ?? []);
    if (named !== null) return [{ ...row, given: { ...row.given, more: [named] } }];
    const message = "Several companies have this name. Add a domain or LinkedIn URL.";
    results[row.index] = skipped(row.label, [...row.reasons, { code: "unknown_name", message, column: null }]);
    return [];
  });
}

/** As `nameCompanies`, for the companies of people: one with a domain may be another of that name, and nothing is refused. */
export async function nameEmployers(ctx: Ctx, rows: readonly ReadyRow[]): Promise<void> {
  const byName = await namesakes(
    ctx,
    rows.map(({ given }) => nameIn(given.employerMore)),
  );
  for (const { given, read } of rows) {
    const name = nameIn(given.employerMore);
    if (name === undefined || isFault(read) || read.employer === null) continue;
    const without = (byName.get(name) ?? []).filter(({ domain }) => domain === null);
    const named = companyMeant(name, without);
    if (named !== null) read.employer.named = [named];
  }
}
