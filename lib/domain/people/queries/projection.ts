import { columnsOf } from "#lib/db/columns.ts";
import type { Db } from "#lib/db/handle.ts";
import { formFor, sql, sqlOfIds, sqlOfRows } from "#lib/db/statement.ts";
import { ownEvents } from "#lib/domain/evidence/contract.ts";
import type { Stage } from "../rules/fields.ts";
import type { CompanyRow, PersonRow } from "../rules/rows.ts";

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

// people_pkey, companies_pkey. Companies' counters, from where people are now and where they will be: run before their
// rows are
// written. The companies are locked, always in the same order; a row whose counters do not change is left alone.
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
   UPDATE companies c SET people_count = c.people_count + held.n, last_activity_at = greatest(c.last_activity_at, held.at)
   FROM held WHERE c.workspace_id = $workspace AND c.id = held.id`,
);

export type PersonWrite = { row: PersonRow; activityAt: Date | null };

const personColumns = columnsOf<PersonWrite>(
  [
    ["id", "uuid", ({ row }) => row.id],
    ["status", "entity_status", ({ row }) => row.status],
    ["email", "text", ({ row }) => row.email],
    ["first_name", "text", ({ row }) => row.firstName],
    ["last_name", "text", ({ row }) => row.lastName],
    ["job_title", "text", ({ row }) => row.jobTitle],
    ["company", "text", ({ row }) => row.company],
    ["company_id", "uuid", ({ row }) => row.companyId],
    ["linkedin_url", "text", ({ row }) => row.linkedinUrl],
    ["phone", "text", ({ row }) => row.phone],
    ["pipeline_stage", "pipeline_stage", ({ row }) => row.pipelineStage],
    ["icp_score", "int", ({ row }) => row.icpScore],
    [
      "last_activity_at",
      "timestamptz",
      ({ activityAt }) => activityAt,
      { merged: "greatest(p.last_activity_at, excluded.last_activity_at)" },
    ],
    ["source", "text", ({ row }) => row.source],
    ["created_at", "timestamptz", ({ row }) => row.createdAt],
    ["custom", "jsonb", ({ row }) => JSON.stringify(row.custom)],
    ["search", "text", ({ row }) => row.search],
    ["wire", "text", ({ row }) => row.wire],
  ],
  { keys: ["id"] },
);

// people_pkey
const upsertPersonRows = sqlOfRows(
  "people_upsert",
  (limit) => `INSERT INTO people AS p (workspace_id, ${personColumns.names})
   SELECT $workspace, ${personColumns.selected} FROM unnest(${personColumns.arrays})
   AS g(${personColumns.given}) ${limit}
   ON CONFLICT (workspace_id, id) DO UPDATE SET ${personColumns.merged}`,
);

/** Writes people's rows; `activityAt` is the latest activity among what was just recorded, and only ever moves forward. */
export function upsertPeople(db: Db, people: readonly PersonWrite[]): Promise<unknown> {
  void db.defer(formFor(countPeopleRows, people.length), [
    people.map(({ row }) => row.id),
    people.map(({ row }) => row.status),
    people.map(({ row }) => row.companyId),
    people.map(({ activityAt }) => activityAt),
  ]);
  return db.defer(formFor(upsertPersonRows, people.length), personColumns.values(people));
}

// people_pkey; companies_pkey, always in the same order
const touchPersonRows = sqlOfRows(
  "people_touch",
  (limit) => `WITH given AS (
     SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::text[]) AS g(id, at, stage) ${limit}
   ), touched AS (
     UPDATE people p SET last_activity_at = greatest(p.last_activity_at, given.at), pipeline_stage = coalesce(given.stage::pipeline_stage, p.pipeline_stage)
     FROM given WHERE p.workspace_id = $workspace AND p.id = given.id RETURNING p.company_id, given.at
   ), active AS (
     SELECT company_id AS id, at FROM touched WHERE company_id IS NOT NULL UNION ALL SELECT id, at FROM given
   ), held AS (
     SELECT c.id, latest.at FROM (SELECT id, max(at) AS at FROM active GROUP BY id) AS latest
     JOIN companies c ON c.workspace_id = $workspace AND c.id = latest.id
     WHERE latest.at > coalesce(c.last_activity_at, '-infinity') ORDER BY c.id FOR UPDATE OF c
   )
   UPDATE companies c SET last_activity_at = greatest(c.last_activity_at, held.at) FROM held WHERE c.workspace_id = $workspace AND c.id = held.id`,
);

/** Null: it stays as it is. */
export type Touch = { id: string; activityAt: Date | null; stage: Stage | null };

/**
 * Updates the rows of people after an activity: when it was, and the stage it moved them to. Ids of companies may be
 * among them. Sent with the COMMIT.
 */
export function touchRows(db: Db, touches: readonly Touch[]): void {
  void db.defer(formFor(touchPersonRows, touches.length), [
    touches.map(({ id }) => id),
    touches.map(({ activityAt }) => activityAt),
    touches.map(({ stage }) => stage),
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

type CompanyWrite = { row: CompanyRow; activityAt: Date | null };

const companyColumns = columnsOf<CompanyWrite>(
  [
    ["id", "uuid", ({ row }) => row.id],
    ["status", "text", ({ row }) => row.status, { from: "status::entity_status" }],
    ["domain", "text", ({ row }) => row.domain],
    ["name", "text", ({ row }) => row.name],
    ["linkedin_url", "text", ({ row }) => row.linkedinUrl],
    ["industry", "text", ({ row }) => row.industry],
    ["employee_count", "int", ({ row }) => row.employeeCount],
    ["country", "text", ({ row }) => row.country],
    ["icp_score", "int", ({ row }) => row.icpScore],
    [
      "last_activity_at",
      "timestamptz",
      ({ activityAt }) => activityAt,
      { merged: "greatest(c.last_activity_at, excluded.last_activity_at)" },
    ],
    ["source", "text", ({ row }) => row.source],
    ["created_at", "timestamptz", ({ row }) => row.createdAt],
    ["custom", "jsonb", ({ row }) => JSON.stringify(row.custom)],
    ["search", "text", ({ row }) => row.search],
  ],
  { keys: ["id"] },
);

// companies_pkey
const upsertCompanyRows = sqlOfRows(
  "companies_upsert",
  (limit) => `INSERT INTO companies AS c (workspace_id, ${companyColumns.names})
   SELECT $workspace, ${companyColumns.selected} FROM unnest(${companyColumns.arrays})
   AS g(${companyColumns.given}) ${limit}
   ON CONFLICT (workspace_id, id) DO UPDATE SET ${companyColumns.merged}`,
);

/** Writes companies' rows; how many people each has is kept by `upsertPeople`. */
export const upsertCompanies = (db: Db, companies: readonly CompanyWrite[]): Promise<unknown> =>
  db.defer(formFor(upsertCompanyRows, companies.length), companyColumns.values(companies));

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

export const findCompanyLabels = (db: Db, companyIds: readonly string[]): Promise<Employer[]> =>
  db.query<Employer>(namesOf, [companyIds]);

// The company loses the person in the same statement.
const deletePersonRow = sql(
  "people_delete",
  `WITH gone AS (DELETE FROM people WHERE workspace_id = $workspace AND id = $1 RETURNING company_id, status)
   UPDATE companies c SET people_count = c.people_count - 1 FROM gone
   WHERE c.workspace_id = $workspace AND c.id = gone.company_id AND gone.status = 'active'`,
);
const deleteCompanyRow = sql("companies_delete", "DELETE FROM companies WHERE workspace_id = $workspace AND id = $1");

/** Takes a record that was merged away off the lists. */
export async function deleteRow(db: Db, type: "person" | "company", id: string): Promise<void> {
  await db.query(type === "person" ? deletePersonRow : deleteCompanyRow, [id]);
}

// observations_timeline_idx
const latestEvent = sql(
  "latest_event_of_entities",
  `SELECT max(least(observed_at, recorded_at)) AS at FROM observations WHERE workspace_id = $workspace AND entity_id = ANY($1) AND kind = 'event' AND property <> ALL($2)`,
);

/** When something last happened with an entity, as the list shows it. */
export const findLatestActivity = async (db: Db, ids: readonly string[]): Promise<Date | null> =>
  (await db.query<{ at: Date | null }>(latestEvent, [ids, ownEvents]))[0]?.at ?? null;

// people_company_idx, observations_timeline_idx
const recount = sql(
  "companies_recount",
  `UPDATE companies c SET people_count = t.n, last_activity_at = greatest(t.at, $2)
   FROM (SELECT count(*) FILTER (WHERE status = 'active')::int AS n, max(last_activity_at) AS at FROM people
         WHERE workspace_id = $workspace AND company_id = $1) AS t
   WHERE c.workspace_id = $workspace AND c.id = $1`,
);

/** Counts a company's people and takes its latest activity from them and its own (`ownActivity`). */
export async function recountCompany(db: Db, id: string, ownActivity: Date | null): Promise<void> {
  await db.query(recount, [id, ownActivity]);
}
