/**
 * What a company's row says of its people: `people_count`, how many active people are linked to it, and `last_activity_at`, when something
 * last happened with anyone who is linked to it, archived or not, or with itself. What only adds to that adds to the row (`countPeople`,
 * `touchRows`). After anything else it is derived from what is there (`deriveLatest`, `deriveEmployers`).
 *
 * Who writes an activity locks the companies' rows also where their time is later already: another transaction may be about to take
 * that time back, because the person it comes from leaves, and sees nothing that is not committed.
 */
import { unchanged } from "#lib/db/generated-columns.ts";
import type { Db } from "#lib/db/handle.ts";
import { formFor, sql, sqlOfRows } from "#lib/db/statement.ts";
import { ownEvents } from "#lib/domain/records/evidence/contract.ts";
import type { Stage } from "../rules/stages.ts";
import { latestEventOf } from "./activity.ts";

// people_pkey, companies_pkey; LATERAL and the arrays keep it at one probe each, also where the tables were never analysed. From where
// people are now and where they will be: run before their rows are written. Who joins
// brings their activity. The companies are locked, always in the same order; a row that does not change is left alone. Where only the
// number of people changes, no indexed column does (0110), so that no index is written.
const countRows = sqlOfRows(
  "people_count",
  (limit) => `WITH given AS (
     SELECT * FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::timestamptz[]) AS g(id, status, company_id, at) ${limit}
   ), change AS (
     SELECT step.company_id, sum(step.n)::int AS n, max(step.at) AS at, bool_or(step.moved) AS moved
     FROM given g LEFT JOIN LATERAL (
       SELECT company_id, status, last_activity_at FROM people WHERE workspace_id = $workspace AND id = g.id LIMIT 1
     ) AS p ON true CROSS JOIN LATERAL (
       SELECT g.company_id, CASE WHEN g.status = 'active' THEN 1 ELSE 0 END AS n, p.company_id IS DISTINCT FROM g.company_id AS moved,
         CASE WHEN p.company_id = g.company_id THEN g.at ELSE greatest(g.at, p.last_activity_at) END AS at
       UNION ALL
       SELECT p.company_id, CASE WHEN p.status = 'active' THEN -1 ELSE 0 END, p.company_id IS DISTINCT FROM g.company_id, NULL
     ) AS step WHERE step.company_id IS NOT NULL GROUP BY step.company_id
   ), held AS (
     SELECT c.id, c.last_activity_at AS latest FROM companies c WHERE c.workspace_id = $workspace
       AND c.id = ANY(ARRAY(SELECT company_id FROM change WHERE n <> 0 OR at IS NOT NULL OR moved)) ORDER BY c.id FOR UPDATE OF c
   )
   UPDATE companies c SET people_count = c.people_count + change.n, ${unchanged("c", "search")}, last_activity_at = greatest(c.last_activity_at, change.at),
     updated_at = CASE WHEN change.at > coalesce(c.last_activity_at, '-infinity') THEN greatest(c.updated_at, $5) ELSE c.updated_at END
   FROM held JOIN change ON change.company_id = held.id
   WHERE c.workspace_id = $workspace AND c.id = ANY(ARRAY(SELECT id FROM held)) AND c.id = held.id
     AND (change.n <> 0 OR change.at > coalesce(held.latest, '-infinity'))`,
);

/** What a person's row will say; `activityAt`: the latest of what was just recorded. */
export type EmployeeLink = { id: string; status: string; companyId: string | null; activityAt: Date | null };

/**
 * Counts people for the companies their rows will name, with their activity, and takes them off those the rows name now; whose time
 * the caller then derives again (`deriveLatest`). `at`: when something new was recorded about them. Sent with the COMMIT.
 */
export function countPeople(db: Db, at: Date | null, people: readonly EmployeeLink[]): void {
  void db.defer(formFor(countRows, people.length), [
    people.map(({ id }) => id),
    people.map(({ status }) => status),
    people.map(({ companyId }) => companyId),
    people.map(({ activityAt }) => activityAt),
    at,
  ]);
}

// people_pkey; companies_pkey, always in the same order
const touchPersonRows = sqlOfRows(
  "people_touch",
  (limit) => `WITH given AS (
     SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::pipeline_stage[]) AS g(id, at, stage) ${limit}
   ), touched AS (
     UPDATE people p SET last_activity_at = greatest(p.last_activity_at, given.at), pipeline_stage = coalesce(given.stage, p.pipeline_stage), updated_at = greatest(p.updated_at, $4)
     FROM given WHERE p.workspace_id = $workspace AND p.id = given.id RETURNING p.company_id, given.at
   ), active AS (
     SELECT company_id AS id, at, false AS own FROM touched WHERE company_id IS NOT NULL UNION ALL SELECT id, at, true FROM given
   ), held AS (
     SELECT c.id, c.last_activity_at AS before, latest.at, latest.own FROM (SELECT id, max(at) AS at, bool_or(own) AS own FROM active GROUP BY id) AS latest
     JOIN companies c ON c.workspace_id = $workspace AND c.id = latest.id
     WHERE latest.own OR latest.at IS NOT NULL ORDER BY c.id FOR UPDATE OF c
   )
   UPDATE companies c SET last_activity_at = greatest(c.last_activity_at, held.at), ${unchanged("c", "search")}, updated_at = greatest(c.updated_at, $4)
   FROM held WHERE c.workspace_id = $workspace AND c.id = held.id AND (held.own OR held.at > coalesce(held.before, '-infinity'))`,
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

// companies_pkey, in the order in which everyone locks them; people_pkey
const hold = sql(
  "companies_hold",
  `SELECT id FROM companies WHERE workspace_id = $workspace AND id = ANY(ARRAY(
     SELECT unnest($1::uuid[]) UNION ALL SELECT company_id FROM people WHERE workspace_id = $workspace AND id = ANY($2::uuid[])
   )) ORDER BY id FOR UPDATE`,
);

/**
 * Locks the rows of companies, and of those that people are linked to, before more than one statement writes them: each statement
 * locks its own in order, but two of them together do not. Sent with the COMMIT.
 */
export function holdCompanies(db: Db, companyIds: readonly string[], personIds: readonly string[] = []): void {
  void db.defer(hold, [companyIds, personIds]);
}

const OF_PEOPLE = "FROM people p WHERE p.workspace_id = $workspace AND p.company_id = e.id";
const COUNT = `SELECT count(*) FILTER (WHERE p.status = 'active')::int ${OF_PEOPLE}`;
const LATEST = `SELECT greatest(
     (SELECT p.last_activity_at ${OF_PEOPLE} ORDER BY p.last_activity_at DESC NULLS LAST LIMIT 1),
     (${latestEventOf("array_prepend(e.id, e.absorbed)", "$3")}))`;

/** What is derived is computed once: MATERIALIZED keeps the planner of a young table from doing it again for each company. */
const deriving = (name: string, count: string | null) =>
  sql(
    name,
    `WITH now AS MATERIALIZED (
     SELECT e.id, ${count ? `(${count}) AS n, ` : ""}(${LATEST}) AS at FROM entities e WHERE e.workspace_id = $workspace AND e.id = ANY($1::uuid[])
   )
   UPDATE companies c SET ${count ? "people_count = now.n, " : ""}last_activity_at = now.at, ${unchanged("c", "search")},
     updated_at = CASE WHEN c.last_activity_at IS DISTINCT FROM now.at THEN greatest(c.updated_at, $2) ELSE c.updated_at END
   FROM now WHERE c.workspace_id = $workspace AND c.id = now.id AND (${count ? "c.people_count <> now.n OR " : ""}c.last_activity_at IS DISTINCT FROM now.at)`,
  );
// entities_pkey, companies_pkey, people_company_idx (the last of a company), observations_timeline_idx
const latest = deriving("companies_derive_latest", null);
// the same, and people_company_idx (all of a company)
const all = deriving("companies_derive", COUNT);

// The rows are locked by a statement of its own: the next one then sees what those who held them have committed.
function derive(db: Db, statement: typeof all, at: Date | null, ids: readonly string[]): void {
  const companies = [...new Set(ids)];
  if (companies.length === 0) return;
  holdCompanies(db, companies);
  void db.defer(statement, [companies, at, ownEvents]);
}

/**
 * Derives when something last happened with companies which someone left, and who was counted by `countPeople`. `at`: when that was; null
 * leaves the time of the rows' update. Sent with the COMMIT.
 */
export const deriveLatest = (db: Db, at: Date | null, ids: readonly string[]): void => derive(db, latest, at, ids);

/** As `deriveLatest`, and counts the people of the companies, after anyone was removed or joined in another way. */
export const deriveEmployers = (db: Db, at: Date | null, ids: readonly string[]): void => derive(db, all, at, ids);

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
  "SELECT DISTINCT company_id AS id FROM people WHERE workspace_id = $workspace AND id = ANY($1) AND company_id IS NOT NULL",
);

/** The companies that some people are linked to. */
export const findCompaniesOf = async (db: Db, personIds: readonly string[]): Promise<string[]> =>
  (await db.query<{ id: string }>(companiesOfPeople, [personIds])).map((row) => row.id);
