import type { WorkspaceId } from "#lib/core/ids.ts";
import { type Column, type Columns, columnsOf } from "#lib/db/columns.ts";
import { unchanged } from "#lib/db/generated-columns.ts";
import type { Db } from "#lib/db/handle.ts";
import { formFor, type RowsStatement, sql, sqlOfRows } from "#lib/db/statement.ts";
import { markChanged } from "#lib/domain/crm/scores/service.ts";
import type { CompanyRow, PersonRow } from "../rules/rows.ts";
import { type PropertyValue, valuesOfCompany, valuesOfPerson } from "../rules/rows.ts";
import { countPeople } from "./employers.ts";

/**
 * `updatedAt`: when something new was recorded about it; null when its row is only written again, as after a change of
 * the rules. `isNew`: it was created in this transaction, so it has no row yet. `stays`: its status and company are what its row
 * says, and nothing happened with it.
 */
type Write<Row> = { row: Row; activityAt: Date | null; updatedAt: Date | null; isNew?: boolean; stays?: boolean };
export type PersonWrite = Write<PersonRow>;

type Tenant = { db: Db; workspaceId: WorkspaceId };

/** It only moves forward. */
const updatedColumn = (alias: string): Column<Write<PersonRow | CompanyRow>> => [
  "updated_at",
  "timestamptz",
  ({ row, updatedAt }) => updatedAt ?? row.createdAt,
  { merged: `greatest(${alias}.updated_at, excluded.updated_at)`, required: true },
];

/** What a source reported, until the workspace's model scores the row; then only the model writes it. */
const scoreColumn = (alias: string): Column<Write<PersonRow | CompanyRow>> => [
  "icp_score",
  "int",
  ({ row }) => row.icpScore,
  { merged: `CASE WHEN ${alias}.scored THEN ${alias}.icp_score ELSE excluded.icp_score END` },
];

const personColumns = columnsOf<PersonWrite>(
  [
    ["id", "uuid", ({ row }) => row.id],
    ["status", "entity_status", ({ row }) => row.status, { required: true }],
    ["email", "text", ({ row }) => row.email],
    ["first_name", "text", ({ row }) => row.firstName],
    ["last_name", "text", ({ row }) => row.lastName],
    ["job_title", "text", ({ row }) => row.jobTitle],
    ["company", "text", ({ row }) => row.company],
    ["company_id", "uuid", ({ row }) => row.companyId],
    ["linkedin_url", "text", ({ row }) => row.linkedinUrl],
    ["phone", "text", ({ row }) => row.phone],
    ["owner", "text", ({ row }) => row.owner ?? "", { required: true }],
    ["pipeline_stage", "pipeline_stage", ({ row }) => row.pipelineStage, { required: true }],
    scoreColumn("p"),
    [
      "last_activity_at",
      "timestamptz",
      ({ activityAt }) => activityAt,
      { merged: "greatest(p.last_activity_at, excluded.last_activity_at)" },
    ],
    ["source", "text", ({ row }) => row.source, { required: true }],
    ["created_at", "timestamptz", ({ row }) => row.createdAt],
    updatedColumn("p"),
    ["custom", "jsonb", ({ row }) => JSON.stringify(row.custom), { required: true }],
    ["search", "text", ({ row }) => row.search],
    ["wire", "text", ({ row }) => row.wire],
  ],
  { keys: ["id"] },
);

const insertPersonText = (limit: string) => `INSERT INTO people AS p (workspace_id, ${personColumns.names})
   SELECT $workspace, ${personColumns.selected} FROM unnest(${personColumns.arrays})
   AS g(${personColumns.given}) ${limit}`;

// people_pkey
const upsertPersonRows = sqlOfRows(
  "people_upsert",
  (limit) =>
    `${insertPersonText(limit)} ON CONFLICT (workspace_id, id) DO UPDATE SET ${personColumns.merged} WHERE ${personColumns.changes("p")}`,
);

// Looking for a conflict that cannot be, and inserting so that one could be taken back, takes a tenth of the time.
const insertNewPersonRows = sqlOfRows("people_insert", (limit) => `${insertPersonText(limit)} RETURNING NULL`);

/** Writes people's rows; `activityAt` is the latest activity among what was just recorded, and only ever moves forward. */
export function upsertPeople({ db, workspaceId }: Tenant, people: readonly PersonWrite[]): void {
  const counted = people.filter(({ stays }) => !stays);
  if (counted.length > 0)
    countPeople(
      db,
      latestOf(counted),
      counted.map(({ row: { id, status, companyId }, activityAt }) => ({ id, status, companyId, activityAt })),
    );
  keepValues(db, people, valuesOfPerson);
  markChanged(
    { db, workspaceId },
    people.map(({ row }) => row.id),
  );
  writeRows(db, { fresh: insertNewPersonRows, any: upsertPersonRows, columns: personColumns }, people);
}

/** A table's statements: for rows that are not there, and for all others. */
type Writing<W> = { fresh: RowsStatement; any: RowsStatement; columns: Columns<W> };

/** Sent with the COMMIT. Rows that are there are locked in the order of their ids, as by every other statement. */
function writeRows<W extends Write<{ id: string }>>(db: Db, { fresh, any, columns }: Writing<W>, writes: readonly W[]) {
  const parts = [
    [fresh, writes.filter(({ isNew }) => isNew)],
    [any, writes.filter(({ isNew }) => !isNew).toSorted((a, b) => (a.row.id < b.row.id ? -1 : 1))],
  ] as const;
  for (const [statement, rows] of parts)
    if (rows.length > 0) void db.defer(formFor(statement, rows.length), columns.values(rows));
}

/** Writes new people's rows without counting them for their companies, whose rows have the count already. */
export async function insertPersonRows(db: Db, people: readonly PersonWrite[]): Promise<void> {
  keepValues(db, people, valuesOfPerson);
  await db.query(upsertPersonRows.many, personColumns.values(people));
}

// people_pkey, companies_pkey
const scoredRows = {
  people: sql(
    "people_scored",
    `UPDATE people t SET scored = true, ${unchanged("t", "search")} WHERE workspace_id = $workspace AND id = ANY($1::uuid[])`,
  ),
  companies: sql(
    "companies_scored",
    `UPDATE companies t SET scored = true, ${unchanged("t", "search")} WHERE workspace_id = $workspace AND id = ANY($1::uuid[])`,
  ),
};

/** Says of rows whose score was written that it is the model's. */
export async function markScored(db: Db, table: keyof typeof scoredRows, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.query(scoredRows[table], [ids]);
}

export type CompanyWrite = Write<CompanyRow>;

const companyColumns = columnsOf<CompanyWrite>(
  [
    ["id", "uuid", ({ row }) => row.id],
    ["status", "text", ({ row }) => row.status, { as: "entity_status", required: true }],
    ["domain", "text", ({ row }) => row.domain],
    ["name", "text", ({ row }) => row.name],
    ["linkedin_url", "text", ({ row }) => row.linkedinUrl],
    ["industry", "text", ({ row }) => row.industry],
    ["employee_count", "int", ({ row }) => row.employeeCount],
    ["country", "text", ({ row }) => row.country],
    ["owner", "text", ({ row }) => row.owner ?? "", { required: true }],
    scoreColumn("c"),
    [
      "last_activity_at",
      "timestamptz",
      ({ activityAt }) => activityAt,
      { merged: "greatest(c.last_activity_at, excluded.last_activity_at)" },
    ],
    ["source", "text", ({ row }) => row.source, { required: true }],
    ["created_at", "timestamptz", ({ row }) => row.createdAt],
    updatedColumn("c"),
    ["custom", "jsonb", ({ row }) => JSON.stringify(row.custom), { required: true }],
    ["search", "text", ({ row }) => row.search],
  ],
  { keys: ["id"] },
);

const insertCompanyText = (limit: string) => `INSERT INTO companies AS c (workspace_id, ${companyColumns.names})
   SELECT $workspace, ${companyColumns.selected} FROM unnest(${companyColumns.arrays})
   AS g(${companyColumns.given}) ${limit}`;

// companies_pkey
const upsertCompanyRows = sqlOfRows(
  "companies_upsert",
  (limit) =>
    `${insertCompanyText(limit)} ON CONFLICT (workspace_id, id) DO UPDATE SET ${companyColumns.merged} WHERE ${companyColumns.changes("c")}`,
);
const insertNewCompanyRows = sqlOfRows("companies_insert", (limit) => `${insertCompanyText(limit)} RETURNING NULL`);

/** Writes companies' rows; how many people each has is kept by `upsertPeople`. */
export function upsertCompanies({ db, workspaceId }: Tenant, companies: readonly CompanyWrite[]): void {
  keepValues(db, companies, valuesOfCompany);
  markChanged(
    { db, workspaceId },
    companies.map(({ row }) => row.id),
  );
  writeRows(db, { fresh: insertNewCompanyRows, any: upsertCompanyRows, columns: companyColumns }, companies);
}

// companies_pkey
const setCounts = sql(
  "companies_set_counts",
  `UPDATE companies c SET people_count = g.count, ${unchanged("c", "search")} FROM unnest($1::uuid[], $2::int[]) AS g(id, count)
   WHERE c.workspace_id = $workspace AND c.id = g.id`,
);

/** Writes new companies' rows with how many people each has. */
export async function insertCompanyRows(
  db: Db,
  companies: readonly CompanyWrite[],
  counts: readonly number[],
): Promise<void> {
  keepValues(db, companies, valuesOfCompany);
  await db.query(upsertCompanyRows.many, companyColumns.values(companies));
  await db.query(setCounts, [companies.map(({ row }) => row.id), counts]);
}

const latestOf = (writes: readonly Write<unknown>[]): Date | null =>
  writes.reduce<Date | null>(
    (latest, { updatedAt }) => (updatedAt && (!latest || updatedAt > latest) ? updatedAt : latest),
    null,
  );

const valueColumns = columnsOf<PropertyValue>(
  [
    ["entity_id", "uuid", (value) => value.entityId],
    ["property", "text", (value) => value.property],
    ["subject", "entity_type", (value) => value.subject, { required: true }],
    ["folded", "text", (value) => value.folded],
    ["number", "float8", (value) => value.number],
    ["time", "timestamptz", (value) => value.time],
  ],
  { keys: ["entity_id", "property"] },
);

// property_values_pkey. NOT IN, because it is always a look into a hash table, however many rows the planner assumes.
const forgetValues = sql(
  "property_values_forget",
  `DELETE FROM property_values v WHERE v.workspace_id = $workspace AND v.entity_id = ANY($1::uuid[])
     AND (v.entity_id, v.property) NOT IN (SELECT g.entity_id, g.property FROM unnest($2::uuid[], $3::text[]) AS g(entity_id, property))`,
);
const insertValuesText = `INSERT INTO property_values AS v (workspace_id, ${valueColumns.names})
   SELECT $workspace, ${valueColumns.selected} FROM unnest(${valueColumns.arrays}) AS g(${valueColumns.given})`;
const writeValues = sql(
  "property_values_write",
  `${insertValuesText}
   ON CONFLICT (workspace_id, entity_id, property) DO UPDATE SET ${valueColumns.merged} WHERE ${valueColumns.changes("v")}`,
);
const writeNewValues = sql("property_values_insert", `${insertValuesText} RETURNING NULL`);

/** Writes the values that property filters look in. A new record without any costs no statement. */
function keepValues<Row extends { id: string }>(
  db: Db,
  writes: readonly Write<Row>[],
  valuesOf: (row: Row) => PropertyValue[],
): void {
  const fresh = writes.flatMap(({ row, isNew }) => (isNew ? valuesOf(row) : []));
  if (fresh.length > 0) void db.defer(writeNewValues, valueColumns.values(fresh));
  const existingRows = writes.flatMap(({ row, isNew }) => (isNew ? [] : [row]));
  if (existingRows.length === 0) return;
  const values = existingRows.flatMap(valuesOf);
  void db.defer(forgetValues, [
    existingRows.map(({ id }) => id),
    values.map(({ entityId }) => entityId),
    values.map(({ property }) => property),
  ]);
  if (values.length > 0) void db.defer(writeValues, valueColumns.values(values));
}

const deleting = (table: "people" | "companies") =>
  sql(
    `${table}_delete`,
    `WITH forgotten AS (
     DELETE FROM property_values WHERE workspace_id = $workspace AND entity_id = $1
   )
   DELETE FROM ${table} WHERE workspace_id = $workspace AND id = $1`,
  );
const deletions = { person: deleting("people"), company: deleting("companies") };

/** Takes a record that was merged away off the lists; the caller derives what its company shows. */
export async function deleteRow(db: Db, type: "person" | "company", id: string): Promise<void> {
  await db.query(deletions[type], [id]);
}

// people_pkey
const setActivity = sql(
  "people_set_activity",
  `UPDATE people p SET last_activity_at = g.at, ${unchanged("p", "search")} FROM unnest($1::uuid[], $2::timestamptz[]) AS g(id, at)
   WHERE p.workspace_id = $workspace AND p.id = g.id AND p.last_activity_at IS DISTINCT FROM g.at`,
);

/** Sets the last activity of people, also back, which writing their rows does not. */
export async function setLastActivity(
  db: Db,
  people: readonly { id: string; activityAt: Date | null }[],
): Promise<void> {
  await db.query(setActivity, [people.map(({ id }) => id), people.map(({ activityAt }) => activityAt)]);
}
