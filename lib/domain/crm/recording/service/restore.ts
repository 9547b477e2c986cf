import type { Db } from "#lib/db/handle.ts";
import { insertCompanyRows, insertPersonRows, markScored } from "../queries/projection.ts";
import { companyOfJson, personOfJson } from "../rules/rows.ts";

type Json = Readonly<Record<string, unknown>>;

/** Writes people's rows as an export has them, and what follows from them: what search and filters look in. */
export async function restorePeople(db: Db, rows: readonly Json[]): Promise<void> {
  await insertPersonRows(
    db,
    rows.map((row) => ({ row: personOfJson(row), ...timesOf(row), isNew: true })),
  );
  await markScored(db, "people", scoredIn(rows));
}

/** The same of companies, with how many people each has. */
export async function restoreCompanies(db: Db, rows: readonly Json[]): Promise<void> {
  await insertCompanyRows(
    db,
    rows.map((row) => ({ row: companyOfJson(row), ...timesOf(row), isNew: true })),
    rows.map(({ people_count }) => people_count as number),
  );
  await markScored(db, "companies", scoredIn(rows));
}

const scoredIn = (rows: readonly Json[]): string[] =>
  rows.filter(({ scored }) => scored === true).map(({ id }) => id as string);

const timesOf = ({ last_activity_at, updated_at }: Json) => ({
  activityAt: last_activity_at === null ? null : new Date(last_activity_at as string),
  updatedAt: new Date(updated_at as string),
});
