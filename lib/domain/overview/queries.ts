import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

// people_stage_activity_idx, read alone
const byStage = sql(
  "overview_stages",
  `SELECT pipeline_stage::text AS stage, count(*)::int AS people FROM people
   WHERE workspace_id = $workspace AND status = 'active' GROUP BY pipeline_stage`,
);

/** Active people by stage; a stage without people is absent. */
export const countByStage = (db: Db) => db.query<{ stage: string; people: number }>(byStage, []);

// observations_happened_idx, read alone
const byDay = sql(
  "overview_activity",
  `SELECT width_bucket(observed_at, $1::timestamptz[]) AS day, property, count(*)::int AS events FROM observations
   WHERE workspace_id = $workspace AND kind = 'event' AND observed_at >= ($1::timestamptz[])[1] AND observed_at <= $2
   GROUP BY 1, 2`,
);

/** Events since the first of `starts` until `until`, by property and by the number of the day, from 1, that began at a start. */
export const countByDay = (db: Db, starts: readonly Date[], until: Date) =>
  db.query<{ day: number; property: string; events: number }>(byDay, [starts, until]);

export type NamedRow = {
  id: string;
  type: "person" | "company";
  firstName: string | null;
  lastName: string | null;
  name: string | null;
  email: string | null;
  domain: string | null;
  linkedinUrl: string | null;
};

// people_pkey, companies_pkey
const named = sql(
  "overview_names",
  `SELECT p.id, 'person' AS type, p.first_name AS "firstName", p.last_name AS "lastName", NULL AS name, p.email, NULL AS domain, p.linkedin_url AS "linkedinUrl"
   FROM people p WHERE p.workspace_id = $workspace AND p.id = ANY($1)
   UNION ALL
   SELECT c.id, 'company', NULL, NULL, c.name, NULL, c.domain, c.linkedin_url
   FROM companies c WHERE c.workspace_id = $workspace AND c.id = ANY($1)`,
);

/** The names of these people and companies, from the lists. */
export const findNamed = (db: Db, ids: readonly string[]) => db.query<NamedRow>(named, [ids]);
