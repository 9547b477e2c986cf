import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { NamePatterns } from "./rules.ts";

/** What a person, a company or the workspace is called, as the lists have it. */
export type Label = {
  id: string;
  type: "person" | "company" | "workspace";
  status: "active" | "archived";
  firstName: string | null;
  lastName: string | null;
  name: string | null;
  email: string | null;
  domain: string | null;
  linkedinUrl: string | null;
};

// entities_pkey, people_pkey, companies_pkey, once for each id. The ids come as they are: a join on an expression such as
// coalesce(merged_into, id) is estimated so badly that it reads whole tables.
const labels = sql(
  "contact_labels",
  `SELECT e.id, e.type::text, e.status::text, p.first_name AS "firstName", p.last_name AS "lastName", coalesce(c.name, ws.name) AS name, p.email, c.domain,
     coalesce(p.linkedin_url, c.linkedin_url) AS "linkedinUrl"
   FROM unnest($1::uuid[]) AS wanted(id)
   CROSS JOIN LATERAL (SELECT * FROM entities e WHERE e.workspace_id = $workspace AND e.id = wanted.id OFFSET 0) AS e
   LEFT JOIN LATERAL (SELECT * FROM people p WHERE p.workspace_id = $workspace AND p.id = wanted.id OFFSET 0) AS p ON true
   LEFT JOIN LATERAL (SELECT * FROM companies c WHERE c.workspace_id = $workspace AND c.id = wanted.id OFFSET 0) AS c ON true
   LEFT JOIN workspaces ws ON ws.id = $workspace AND ws.id = wanted.id`,
);

/** The names of these entities, by id. */
export const findLabels = async (db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, Label>> =>
  ids.length === 0
    ? new Map()
    : new Map((await db.query<Label>(labels, [[...new Set(ids)]])).map((row) => [row.id, row]));

// people_pkey, once for each id
const employers = sql(
  "people_employers",
  `SELECT p.id, p.company FROM unnest($1::uuid[]) AS wanted(id)
   CROSS JOIN LATERAL (SELECT * FROM people p WHERE p.workspace_id = $workspace AND p.id = wanted.id OFFSET 0) AS p`,
);

/** Where these people work, by id, as the list has it. */
export const findEmployers = async (db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string | null>> =>
  ids.length === 0
    ? new Map()
    : new Map(
        (await db.query<{ id: string; company: string | null }>(employers, [[...new Set(ids)]])).map((row) => [
          row.id,
          row.company,
        ]),
      );

export type NamedRow = {
  type: "person" | "company";
  id: string;
  status: "active" | "archived";
  firstName: string | null;
  lastName: string | null;
  name: string | null;
  jobTitle: string | null;
  company: string | null;
  email: string | null;
  domain: string | null;
};

// people_search_idx, companies_search_idx: the pattern's trigrams find the rows. The second condition keeps a person
// whose address or employer matches, but not their name, out.
const byName = sql(
  "contacts_by_name",
  `(SELECT 'person' AS type, p.id, p.status::text, p.first_name AS "firstName", p.last_name AS "lastName", NULL AS name, p.job_title AS "jobTitle",
      p.company, p.email, NULL AS domain, p.last_activity_at
    FROM people p WHERE p.workspace_id = $workspace AND p.search LIKE $1
      AND ($3 OR split_part(p.search, E'\\n', 2) LIKE $1) LIMIT $4)
   UNION ALL
   (SELECT 'company', c.id, c.status::text, NULL, NULL, c.name, NULL, NULL, NULL, c.domain, c.last_activity_at
    FROM companies c WHERE c.workspace_id = $workspace AND c.search LIKE $2
      AND ($3 OR split_part(c.search, E'\\n', 1) LIKE $2) LIMIT $4)
   ORDER BY 3, 11 DESC NULLS LAST, 2`,
);

/** People and companies whose name matches, active ones first; `whole` says that the patterns hold the whole name. */
export const findByName = (db: Db, patterns: NamePatterns, whole: boolean, limit: number): Promise<NamedRow[]> =>
  db.query<NamedRow>(byName, [patterns.person, patterns.company, whole, limit]);

const PERSON = `'person' AS type, p.id, p.status::text, p.first_name AS "firstName", p.last_name AS "lastName", NULL AS name, p.job_title AS "jobTitle",
      p.company, p.email, NULL AS domain`;

// people_search_idx by the trigrams of both; then the name must be in the name, and the company in the employer's name or the
// host of the address
const byNameAt = sql(
  "people_by_name_at",
  `SELECT ${PERSON} FROM people p
   WHERE p.workspace_id = $workspace AND p.search LIKE $1 AND p.search LIKE $2 AND split_part(p.search, E'\\n', 2) LIKE $1
     AND split_part(split_part(p.search, E'\\n', 1), '@', 2) || E'\\n' || split_part(p.search, E'\\n', 3) LIKE $2
   ORDER BY p.status, p.last_activity_at DESC NULLS LAST, p.id LIMIT $3`,
);

/** People whose name holds one text and whose company the other, active ones first. */
export const findByNameAt = (db: Db, name: string, company: string, limit: number): Promise<NamedRow[]> =>
  db.query<NamedRow>(byNameAt, [name, company, limit]);

// people_search_idx, companies_search_idx by the trigrams of the beginnings of words; 2,000 rows of each at most are compared
const near = sql(
  "contacts_near_name",
  `SELECT type, id, status, "firstName", "lastName", name, "jobTitle", company, email, domain FROM (
     (SELECT ${PERSON}, p.search FROM people p
      WHERE p.workspace_id = $workspace AND p.search ~ $1 AND p.status = 'active' LIMIT 2000)
     UNION ALL
     (SELECT 'company', c.id, c.status::text, NULL, NULL, c.name, NULL, NULL, NULL, c.domain, c.search
      FROM companies c WHERE c.workspace_id = $workspace AND c.search ~ $1 AND c.status = 'active' LIMIT 2000)
   ) AS looked ORDER BY word_similarity($2, search) DESC, id LIMIT $3`,
);

/** The people and companies whose names, addresses and domains are most like the text, among those with a word that begins so. */
export const findNear = (db: Db, beginnings: string, text: string, limit: number): Promise<NamedRow[]> =>
  db.query<NamedRow>(near, [beginnings, text, limit]);
