import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { Person as Stored, CrmRunRow as StoredRow } from "#prisma/generated/client.ts";
import type { CrmRunRow } from "../contract.ts";

type Person = Pick<Stored, "firstName" | "lastName" | "email" | "linkedinUrl">;

export type ResultRow = Omit<StoredRow, "workspaceId" | "runId" | "isDone"> & Person;

const NOBODY: Person = { firstName: null, lastName: null, email: null, linkedinUrl: null };

/** Rows behind a place, each with the person as they are now. */
export async function findRows(
  db: Db,
  runId: string,
  after: number,
  outcome: NonNullable<CrmRunRow["outcome"]> | null,
  limit: number,
): Promise<ResultRow[]> {
  const rows = await db.prisma.crmRunRow.findMany({
    where: { runId, place: { gt: after }, ...(outcome === null ? {} : { outcome }) },
    omit: { workspaceId: true, runId: true, isDone: true },
    orderBy: { place: "asc" },
    take: limit,
  });
  const people = await db.prisma.person.findMany({
    where: { id: { in: rows.map(({ contactId }) => contactId) } },
    select: { id: true, firstName: true, lastName: true, email: true, linkedinUrl: true },
  });
  const byId = new Map(people.map(({ id, ...person }) => [id, person]));
  return rows.map((row) => ({ ...row, ...(byId.get(row.contactId) ?? NOBODY) }));
}

/** The result of a row. */
export type Result = {
  place: number;
  outcome: NonNullable<CrmRunRow["outcome"]>;
  recordId: string | null;
  recordUrl: string | null;
  fields: readonly string[];
  message: string | null;
  notes: number;
  activities: number;
  isDone: boolean;
};

// crm_run_rows_pkey
const decide = sql(
  "crm_run_rows_decide",
  `UPDATE crm_run_rows AS r SET outcome = n.outcome, record_id = n.record_id, record_url = n.record_url,
     fields = coalesce(string_to_array(nullif(n.fields, ''), ','), '{}'), message = n.message, notes = n.notes, activities = n.activities, is_done = n.is_done
   FROM unnest($2::int[], $3::crm_outcome[], $4::text[], $5::text[], $6::text[], $7::text[], $8::int[], $9::int[], $10::bool[])
     AS n(place, outcome, record_id, record_url, fields, message, notes, activities, is_done)
   WHERE r.workspace_id = $workspace AND r.run_id = $1 AND r.place = n.place AND r.outcome IS NULL`,
);

export async function decideRows(db: Db, runId: string, results: readonly Result[]): Promise<void> {
  if (results.length === 0) return;
  await db.query(decide, [
    runId,
    results.map(({ place }) => place),
    results.map(({ outcome }) => outcome),
    results.map(({ recordId }) => recordId),
    results.map(({ recordUrl }) => recordUrl),
    results.map(({ fields }) => fields.join(",")),
    results.map(({ message }) => message),
    results.map(({ notes }) => notes),
    results.map(({ activities }) => activities),
    results.map(({ isDone }) => isDone),
  ]);
}

/** A note or activity of the row was pushed or refused, or all of them are. */
export async function noteRow(
  db: Db,
  runId: string,
  place: number,
  { notes = 0, activities = 0, message = null as string | null, isDone = false },
): Promise<void> {
  await db.prisma.crmRunRow.updateMany({
    where: { runId, place },
    data: {
      notes: { increment: notes },
      activities: { increment: activities },
      isDone,
      ...(message === null ? {} : { message }),
    },
  });
}
