import type { WorkspaceId } from "#lib/core/ids.ts";
import { type Column, type Columns, columnsOf } from "#lib/db/columns.ts";
import { unchanged } from "#lib/db/generated-columns.ts";
import type { Db } from "#lib/db/handle.ts";
import { formFor, type RowsStatement, sql, sqlOfIds, sqlOfRows } from "#lib/db/statement.ts";
import { ownEvents } from "#lib/domain/evidence/contract.ts";
import { notRetired } from "#lib/domain/evidence/service.ts";
import { markChanged } from "#lib/domain/scores/service.ts";
import type { Stage } from "../rules/fields.ts";
import type { CompanyRow, PersonRow } from "../rules/rows.ts";
import { type PropertyValue, valuesOfCompany, valuesOfPerson } from "../rules/values.ts";

// claims_workspace_id_entity_id_property_key
const claimsOf = sqlOfIds(
  "claims_current_of_entities",
  (these) => `SELECT entity_id AS "entityId", property, value FROM claims
   WHERE workspace_id = $workspace AND entity_id ${these} AND ended_at IS NULL AND property NOT LIKE '%.%'`,
);

/** Current values of some entities; properties with dots (notes, interactions) are not fields. */
export const findClaimValues = (db: Db, entityIds: readonly string[]) =>
  db.query<{ entityId: string; property: string; value: unknown }>(formFor(claimsOf, entityIds.length), [entityIds]);

// claims_workspace_id_entity_id_property_key, entities_pkey, companies_pkey, each by a plain id
const employersOf = sqlOfIds(
  "employers_of_people",
  (these) => `SELECT w.entity_id AS "personId", c.id, c.name, c.domain FROM claims w
   JOIN LATERAL (
     SELECT coalesce(e.merged_into, e.id) AS id FROM entities e WHERE e.workspace_id = $workspace
       AND e.id = CASE WHEN w.value #>> '{}' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN (w.value #>> '{}')::uuid END OFFSET 0
   ) AS named ON true
   JOIN LATERAL (SELECT * FROM companies c WHERE c.workspace_id = $workspace AND c.id = named.id OFFSET 0) AS c ON true
   WHERE w.workspace_id = $workspace AND w.entity_id ${these} AND w.property = 'works_at' AND w.ended_at IS NULL`,
);

type Label = { name: string | null; domain: string | null };
export type Employer = Label & { id: string };

/** The company each of some people is linked to, or the one that was merged into, by the person's id. */
export async function findEmployers(db: Db, personIds: readonly string[]): Promise<Map<string, Employer>> {
  const rows = await db.query<Employer & { personId: string }>(formFor(employersOf, personIds.length), [personIds]);
  return new Map(rows.map(({ personId, ...employer }) => [personId, employer]));
}

// entities_pkey, companies_pkey, each by a plain id
const employersNamed = sqlOfRows(
  "employers_by_ids",
  (
    limit,
  ) => `SELECT named.id AS "namedId", c.id, c.name, c.domain FROM (SELECT unnest($1::uuid[]) AS id ${limit}) AS named
   JOIN LATERAL (SELECT coalesce(e.merged_into, e.id) AS id FROM entities e WHERE e.workspace_id = $workspace AND e.id = named.id OFFSET 0) AS kept ON true
   JOIN LATERAL (SELECT * FROM companies c WHERE c.workspace_id = $workspace AND c.id = kept.id OFFSET 0) AS c ON true`,
);

/** Companies by ids, or those they were merged into, by the given ids. */
export async function findEmployersNamed(db: Db, companyIds: readonly string[]): Promise<Map<string, Employer>> {
  const ids = [...new Set(companyIds)];
  const rows = await db.query<Employer & { namedId: string }>(formFor(employersNamed, ids.length), [ids]);
  return new Map(rows.map(({ namedId, ...employer }) => [namedId, employer]));
}

// people_pkey, companies_pkey. Companies' counters, from where people are now and where they will be: run before their
// rows are written. The companies are locked, always in the same order; a row whose counters do not change is left alone. Where
// only the number of people changes, no indexed column does (0100), so that no index is written.
const countPeopleRows = sqlOfRows(
  "people_count",
  (limit) => `WITH given AS (
     SELECT * FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::timestamptz[]) AS g(id, status, company_id, at) ${limit}
   ), change AS (
     SELECT company_id, sum(n)::int AS n, max(at) AS at FROM (
       SELECT company_id, CASE WHEN status = 'active' THEN 1 ELSE 0 END AS n, at FROM given
       UNION ALL
       SELECT p.company_id, -1, NULL FROM given JOIN people p ON p.workspace_id = $workspace AND p.id = given.id WHERE p.status = 'active'
     ) AS steps WHERE company_id IS NOT NULL GROUP BY company_id
   ), held AS (
     SELECT c.id, change.n, change.at FROM change JOIN companies c ON c.workspace_id = $workspace AND c.id = change.company_id
     WHERE change.n <> 0 OR c.last_activity_at IS NULL AND change.at IS NOT NULL OR c.last_activity_at < change.at ORDER BY c.id FOR UPDATE OF c
   )
   UPDATE companies c SET people_count = c.people_count + held.n, ${unchanged("c", "search")}, last_activity_at = greatest(c.last_activity_at, held.at),
     updated_at = CASE WHEN held.at > coalesce(c.last_activity_at, '-infinity') THEN greatest(c.updated_at, $5) ELSE c.updated_at END
   FROM held WHERE c.workspace_id = $workspace AND c.id = held.id`,
);

/**
 * `updatedAt`: when something new was recorded about it; null when its row is only written again, as after a change of
 * the rules. `created`: in this transaction. `first`: it has no row yet, for certain.
 */
type Write<Row> = { row: Row; activityAt: Date | null; updatedAt: Date | null; created?: boolean; first?: boolean };
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
  (limit) => `${insertPersonText(limit)} ON CONFLICT (workspace_id, id) DO UPDATE SET ${personColumns.merged}`,
);

// Looking for a conflict that cannot be, and inserting so that one could be taken back, takes a tenth of the time.
const insertPersonRowsFirst = sqlOfRows("people_insert", (limit) => `${insertPersonText(limit)} RETURNING NULL`);

/** Writes people's rows; `activityAt` is the latest activity among what was just recorded, and only ever moves forward. */
export function upsertPeople({ db, workspaceId }: Tenant, people: readonly PersonWrite[]): void {
  void db.defer(formFor(countPeopleRows, people.length), [
    people.map(({ row }) => row.id),
    people.map(({ row }) => row.status),
    people.map(({ row }) => row.companyId),
    people.map(({ activityAt }) => activityAt),
    latestOf(people),
  ]);
  keepValues(db, people, valuesOfPerson);
  markChanged(
    { db, workspaceId },
    people.map(({ row }) => row.id),
  );
  writeRows(db, { first: insertPersonRowsFirst, any: upsertPersonRows, columns: personColumns }, people);
}

/** A table's statements: for rows that are not there, and for all others. */
type Writing<W> = { first: RowsStatement; any: RowsStatement; columns: Columns<W> };

/** Sent with the COMMIT. */
function writeRows<W extends { first?: boolean }>(db: Db, { first, any, columns }: Writing<W>, writes: readonly W[]) {
  const parts = [
    [first, writes.filter((write) => write.first)],
    [any, writes.filter((write) => !write.first)],
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

// people_pkey; companies_pkey, always in the same order
const touchPersonRows = sqlOfRows(
  "people_touch",
  (limit) => `WITH given AS (
     SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::text[]) AS g(id, at, stage) ${limit}
   ), touched AS (
     UPDATE people p SET last_activity_at = greatest(p.last_activity_at, given.at), ${unchanged("p", "search")}, pipeline_stage = coalesce(given.stage::pipeline_stage, p.pipeline_stage), updated_at = greatest(p.updated_at, $4)
     FROM given WHERE p.workspace_id = $workspace AND p.id = given.id RETURNING p.company_id, given.at
   ), active AS (
     SELECT company_id AS id, at, false AS own FROM touched WHERE company_id IS NOT NULL UNION ALL SELECT id, at, true FROM given
   ), held AS (
     SELECT c.id, latest.at FROM (SELECT id, max(at) AS at, bool_or(own) AS own FROM active GROUP BY id) AS latest
     JOIN companies c ON c.workspace_id = $workspace AND c.id = latest.id
     WHERE latest.own OR latest.at > coalesce(c.last_activity_at, '-infinity') ORDER BY c.id FOR UPDATE OF c
   )
   UPDATE companies c SET last_activity_at = greatest(c.last_activity_at, held.at), ${unchanged("c", "search")}, updated_at = greatest(c.updated_at, $4) FROM held WHERE c.workspace_id = $workspace AND c.id = held.id`,
);

/** Null: it stays as it is. */
export type Touch = { id: string; activityAt: Date | null; stage: Stage | null };

/**
 * Updates the rows of people after an activity: when it was, and the stage it moved them to. Ids of companies may be
 * among them. `at`: when it was recorded. Sent with the COMMIT.
 */
export function touchRows(db: Db, at: Date, touches: readonly Touch[]): void {
  void db.defer(formFor(touchPersonRows, touches.length), [
    touches.map(({ id }) => id),
    touches.map(({ activityAt }) => activityAt),
    touches.map(({ stage }) => stage),
    at,
  ]);
}

// people_pkey
const stagesOf = sql(
  "people_stages",
  "SELECT id, pipeline_stage::text AS stage FROM people WHERE workspace_id = $workspace AND id = ANY($1)",
);

/** The stages of some people, by id; people without a row are left out. */
export async function findStages(db: Db, ids: readonly string[]): Promise<Map<string, Stage>> {
  const rows = await db.query<{ id: string; stage: Stage }>(stagesOf, [ids]);
  return new Map(rows.map(({ id, stage }) => [id, stage]));
}

type CompanyWrite = Write<CompanyRow>;

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
  (limit) => `${insertCompanyText(limit)} ON CONFLICT (workspace_id, id) DO UPDATE SET ${companyColumns.merged}`,
);
const insertCompanyRowsFirst = sqlOfRows("companies_insert", (limit) => `${insertCompanyText(limit)} RETURNING NULL`);

/** Writes companies' rows; how many people each has is kept by `upsertPeople`. */
export function upsertCompanies({ db, workspaceId }: Tenant, companies: readonly CompanyWrite[]): void {
  keepValues(db, companies, valuesOfCompany);
  markChanged(
    { db, workspaceId },
    companies.map(({ row }) => row.id),
  );
  writeRows(db, { first: insertCompanyRowsFirst, any: upsertCompanyRows, columns: companyColumns }, companies);
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
   ON CONFLICT (workspace_id, entity_id, property) DO UPDATE SET ${valueColumns.merged}
   WHERE (v.folded, v.number, v.time) IS DISTINCT FROM (excluded.folded, excluded.number, excluded.time)`,
);
const writeFirstValues = sql("property_values_insert", `${insertValuesText} RETURNING NULL`);

/** Writes the values that property filters look in. A new record without any costs no statement. */
function keepValues<Row extends { id: string }>(
  db: Db,
  writes: readonly Write<Row>[],
  valuesOf: (row: Row) => PropertyValue[],
): void {
  const first = writes.flatMap((write) => (write.first ? valuesOf(write.row) : []));
  if (first.length > 0) void db.defer(writeFirstValues, valueColumns.values(first));
  const values = writes.flatMap((write) => (write.first ? [] : valuesOf(write.row)));
  const known = writes.flatMap(({ row, created }) => (created ? [] : [row.id]));
  if (known.length > 0)
    void db.defer(forgetValues, [
      known,
      values.map(({ entityId }) => entityId),
      values.map(({ property }) => property),
    ]);
  if (values.length > 0) void db.defer(writeValues, valueColumns.values(values));
}

// people_company_idx
const employeesOf = sql(
  "people_ids_of_companies",
  "SELECT id FROM people WHERE workspace_id = $workspace AND company_id = ANY($1)",
);

export const findEmployeeIds = async (db: Db, companyIds: readonly string[]): Promise<string[]> =>
  (await db.query<{ id: string }>(employeesOf, [companyIds])).map((row) => row.id);

// people_pkey
const companiesOfPeople = sql(
  "companies_of_people",
  "SELECT DISTINCT company_id AS id FROM people WHERE workspace_id = $workspace AND id = ANY($1) AND company_id IS NOT NULL ORDER BY 1",
);

/** The companies that some people are linked to, in the order in which everyone locks them. */
export const findCompaniesOf = async (db: Db, personIds: readonly string[]): Promise<string[]> =>
  (await db.query<{ id: string }>(companiesOfPeople, [personIds])).map((row) => row.id);

const namesOf = sql(
  "company_labels",
  "SELECT id, name, domain FROM companies WHERE workspace_id = $workspace AND id = ANY($1)",
);

export const findCompanyLabels = async (db: Db, companyIds: readonly string[]): Promise<Employer[]> =>
  companyIds.length > 0 ? db.query<Employer>(namesOf, [companyIds]) : [];

// The company loses the person in the same statement.
const deletePersonRow = sql(
  "people_delete",
  `WITH forgotten AS (
     DELETE FROM property_values WHERE workspace_id = $workspace AND entity_id = $1
   ), gone AS (DELETE FROM people WHERE workspace_id = $workspace AND id = $1 RETURNING company_id, status)
   UPDATE companies c SET people_count = c.people_count - 1 FROM gone
   WHERE c.workspace_id = $workspace AND c.id = gone.company_id AND gone.status = 'active'`,
);
const deleteCompanyRow = sql(
  "companies_delete",
  `WITH forgotten AS (
     DELETE FROM property_values WHERE workspace_id = $workspace AND entity_id = $1
   )
   DELETE FROM companies WHERE workspace_id = $workspace AND id = $1`,
);

/** Takes a record that was merged away off the lists. */
export async function deleteRow(db: Db, type: "person" | "company", id: string): Promise<void> {
  await db.query(type === "person" ? deletePersonRow : deleteCompanyRow, [id]);
}

// people_pkey
const forgetActivity = sql(
  "people_forget_activity",
  "UPDATE people SET last_activity_at = NULL WHERE workspace_id = $workspace AND id = $1",
);

/** Before a person's last activity is derived again: otherwise it only moves forward. */
export async function forgetLastActivity(db: Db, id: string): Promise<void> {
  await db.query(forgetActivity, [id]);
}

// observations_timeline_idx; observations_pkey for a correction, which happened no later than it was first recorded
const latestEvent = sql(
  "latest_event_of_entities",
  `SELECT max(least(o.observed_at, o.recorded_at, CASE WHEN o.caused_by IS NOT NULL THEN (
     SELECT first.recorded_at FROM observations first WHERE first.workspace_id = $workspace AND first.id = o.caused_by) END)) AS at FROM observations o
   WHERE o.workspace_id = $workspace AND o.entity_id = ANY($1) AND o.kind = 'event' AND o.property <> ALL($2) AND ${notRetired("o.id")}`,
);

// observations_recent_idx
const latestEvidence = sql(
  "latest_evidence_of_entities",
  "SELECT max(recorded_at) AS at FROM observations WHERE workspace_id = $workspace AND entity_id = ANY($1)",
);

/** When anything was last recorded about an entity. */
export const findLatestEvidence = async (db: Db, ids: readonly string[]): Promise<Date | null> =>
  (await db.query<{ at: Date | null }>(latestEvidence, [ids]))[0]?.at ?? null;

/** When something last happened with an entity, as the list shows it. */
export const findLatestActivity = async (db: Db, ids: readonly string[]): Promise<Date | null> =>
  (await db.query<{ at: Date | null }>(latestEvent, [ids, ownEvents]))[0]?.at ?? null;

// people_company_idx, observations_timeline_idx
const recount = sql(
  "companies_recount",
  `UPDATE companies c SET people_count = t.n, last_activity_at = t.at,
     updated_at = CASE WHEN c.last_activity_at IS DISTINCT FROM t.at THEN greatest(c.updated_at, $3) ELSE c.updated_at END
   FROM (SELECT count(*) FILTER (WHERE status = 'active')::int AS n, greatest(max(last_activity_at), $2) AS at FROM people
         WHERE workspace_id = $workspace AND company_id = $1) AS t
   WHERE c.workspace_id = $workspace AND c.id = $1`,
);

/** Counts a company's people and takes its latest activity from them and its own (`ownActivity`). `at`: when that may have changed. */
export async function recountCompany(db: Db, at: Date | null, id: string, ownActivity: Date | null): Promise<void> {
  await db.query(recount, [id, ownActivity, at]);
}
