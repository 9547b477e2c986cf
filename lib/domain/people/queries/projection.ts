import { type Db, sql } from "#lib/db/transaction.ts";
import type { CompanyRow, PersonRow } from "../rules/rows.ts";

const claimsOf = sql(
  "claims_current_of_entity",
  `SELECT property, value FROM claims WHERE workspace_id = rapport_workspace() AND entity_id = $1 AND ended_at IS NULL AND property NOT LIKE '%.%'`,
);

/** Current values by property; properties with dots (notes, interactions) are nobody's field. */
export async function findClaimValues(db: Db, entityId: string): Promise<Map<string, unknown>> {
  const rows = await db.query<{ property: string; value: unknown }>(claimsOf, [entityId]);
  return new Map(rows.map(({ property, value }) => [property, value]));
}

// claims_workspace_id_entity_id_property_key, entities_pkey, companies_pkey, each by a plain id
const employerOf = sql(
  "employer_of_person",
  `SELECT c.id, c.name, c.domain FROM companies c WHERE c.workspace_id = rapport_workspace() AND c.id = (
     SELECT coalesce(named.merged_into, named.id) FROM entities named WHERE named.workspace_id = rapport_workspace() AND named.id = (
       SELECT CASE WHEN w.value #>> '{}' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN (w.value #>> '{}')::uuid END FROM claims w
       WHERE w.workspace_id = rapport_workspace() AND w.entity_id = $1 AND w.property = 'works_at' AND w.ended_at IS NULL))`,
);

export type Label = { name: string | null; domain: string | null };
export type Employer = Label & { id: string };

/** The company a person is linked to, or the one that was merged into. */
export const findEmployer = async (db: Db, personId: string): Promise<Employer | null> =>
  (await db.query<Employer>(employerOf, [personId]))[0] ?? null;

// The company's counters follow in the same statement: its people, and its latest activity.
const upsertPersonRow = sql(
  "people_upsert",
  `WITH before AS (
     SELECT company_id, status FROM people WHERE workspace_id = rapport_workspace() AND id = $1
   ), written AS (
     INSERT INTO people AS p (workspace_id, id, status, email, first_name, last_name, job_title, company, company_id, linkedin_url, phone,
       pipeline_stage, icp_score, last_activity_at, source, created_at, custom, search, wire)
     VALUES (rapport_workspace(), $1, $2::entity_status, $3, $4, $5, $6, $7, $8, $9, $10, $11::pipeline_stage, $12, $13, $14, $15, $16, $17, $18)
     ON CONFLICT (workspace_id, id) DO UPDATE SET status = excluded.status, email = excluded.email, first_name = excluded.first_name,
       last_name = excluded.last_name, job_title = excluded.job_title, company = excluded.company, company_id = excluded.company_id,
       linkedin_url = excluded.linkedin_url, phone = excluded.phone, pipeline_stage = excluded.pipeline_stage, icp_score = excluded.icp_score,
       last_activity_at = greatest(p.last_activity_at, excluded.last_activity_at), source = excluded.source, created_at = excluded.created_at,
       custom = excluded.custom, search = excluded.search, wire = excluded.wire
     RETURNING company_id, status
   ), change AS (
     SELECT company_id, sum(n)::int AS n FROM (
       SELECT company_id, 1 AS n FROM written WHERE status = 'active' UNION ALL SELECT company_id, -1 FROM before WHERE status = 'active'
     ) AS steps WHERE company_id IS NOT NULL GROUP BY company_id
   )
   UPDATE companies c SET people_count = c.people_count + change.n, last_activity_at = greatest(c.last_activity_at, $13)
   FROM (SELECT company_id, n FROM change UNION SELECT company_id, 0 FROM written WHERE company_id NOT IN (SELECT company_id FROM change)) AS change
   WHERE c.workspace_id = rapport_workspace() AND c.id = change.company_id
     AND (change.n <> 0 OR c.last_activity_at IS NULL AND $13 IS NOT NULL OR c.last_activity_at < $13)`,
);

/** Writes a person's row; `activityAt` is the latest activity among what was just recorded, and only ever moves forward. */
export async function upsertPerson(db: Db, row: PersonRow, activityAt: Date | null): Promise<void> {
  await db.query(upsertPersonRow, [
    row.id,
    row.status,
    row.email,
    row.firstName,
    row.lastName,
    row.jobTitle,
    row.company,
    row.companyId,
    row.linkedinUrl,
    row.phone,
    row.pipelineStage,
    row.icpScore,
    activityAt,
    row.source,
    row.createdAt,
    JSON.stringify(row.custom),
    row.search,
    row.wire,
  ]);
}

const upsertCompanyRow = sql(
  "companies_upsert",
  `INSERT INTO companies AS c (workspace_id, id, status, domain, name, linkedin_url, industry, employee_count, country, icp_score, last_activity_at, source, created_at, custom, search)
   VALUES (rapport_workspace(), $1, $2::entity_status, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
   ON CONFLICT (workspace_id, id) DO UPDATE SET status = excluded.status, domain = excluded.domain, name = excluded.name,
     linkedin_url = excluded.linkedin_url, industry = excluded.industry, employee_count = excluded.employee_count, country = excluded.country,
     icp_score = excluded.icp_score, last_activity_at = greatest(c.last_activity_at, excluded.last_activity_at), source = excluded.source,
     created_at = excluded.created_at, custom = excluded.custom, search = excluded.search`,
);

/** Writes a company's row; how many people it has is kept by `upsertPerson`. */
export async function upsertCompany(db: Db, row: CompanyRow, activityAt: Date | null): Promise<void> {
  await db.query(upsertCompanyRow, [
    row.id,
    row.status,
    row.domain,
    row.name,
    row.linkedinUrl,
    row.industry,
    row.employeeCount,
    row.country,
    row.icpScore,
    activityAt,
    row.source,
    row.createdAt,
    JSON.stringify(row.custom),
    row.search,
  ]);
}

// people_company_idx
const employeesOf = sql(
  "people_ids_of_company",
  "SELECT id FROM people WHERE workspace_id = rapport_workspace() AND company_id = $1",
);

export const findEmployeeIds = async (db: Db, companyId: string): Promise<string[]> =>
  (await db.query<{ id: string }>(employeesOf, [companyId])).map((row) => row.id);

const nameOf = sql(
  "company_label",
  "SELECT name, domain FROM companies WHERE workspace_id = rapport_workspace() AND id = $1",
);

export const findCompanyLabel = async (db: Db, companyId: string): Promise<Label | null> =>
  (await db.query<Label>(nameOf, [companyId]))[0] ?? null;

// The company loses the person in the same statement.
const deletePersonRow = sql(
  "people_delete",
  `WITH gone AS (DELETE FROM people WHERE workspace_id = rapport_workspace() AND id = $1 RETURNING company_id, status)
   UPDATE companies c SET people_count = c.people_count - 1 FROM gone
   WHERE c.workspace_id = rapport_workspace() AND c.id = gone.company_id AND gone.status = 'active'`,
);
const deleteCompanyRow = sql(
  "companies_delete",
  "DELETE FROM companies WHERE workspace_id = rapport_workspace() AND id = $1",
);

/** Takes a record that was merged away off the lists. */
export async function deleteRow(db: Db, type: "person" | "company", id: string): Promise<void> {
  await db.query(type === "person" ? deletePersonRow : deleteCompanyRow, [id]);
}

// observations_timeline_idx
const latestEvent = sql(
  "latest_event_of_entities",
  `SELECT max(least(observed_at, recorded_at)) AS at FROM observations WHERE workspace_id = rapport_workspace() AND entity_id = ANY($1) AND kind = 'event'`,
);

/** When something last happened with an entity, as the list shows it. */
export const findLatestActivity = async (db: Db, ids: readonly string[]): Promise<Date | null> =>
  (await db.query<{ at: Date | null }>(latestEvent, [ids]))[0]?.at ?? null;

// people_company_idx, observations_timeline_idx
const recount = sql(
  "companies_recount",
  `UPDATE companies c SET people_count = t.n, last_activity_at = greatest(t.at, $2)
   FROM (SELECT count(*) FILTER (WHERE status = 'active')::int AS n, max(last_activity_at) AS at FROM people
         WHERE workspace_id = rapport_workspace() AND company_id = $1) AS t
   WHERE c.workspace_id = rapport_workspace() AND c.id = $1`,
);

/** Counts a company's people and takes its latest activity from them and its own (`ownActivity`). */
export async function recountCompany(db: Db, id: string, ownActivity: Date | null): Promise<void> {
  await db.query(recount, [id, ownActivity]);
}
