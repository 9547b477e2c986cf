import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { CrmRunRow } from "../contract.ts";
import type { FieldHashes, Person } from "../rules/contacts.ts";

/** People who have an e-mail address and are no sample, and who changed since a time. */
export const candidates = (since: string): string => `SELECT p.id FROM people p WHERE p.workspace_id = $workspace
    AND p.status = 'active' AND p.source <> 'sample' AND p.email IS NOT NULL
    AND p.updated_at >= ${since}::timestamptz`;

/** Before all people. */
export const EVER = new Date(0);

// people_updated_idx
const changed = sql("crm_people_changed", `SELECT EXISTS (${candidates("$1")}) AS some`);
/** Whether someone changed since then. */
export const hasChanged = async (db: Db, since: Date): Promise<boolean> =>
  (await db.query<{ some: boolean }>(changed, [since]))[0]?.some === true;

/** One row of a run with the person and their link, as the next step needs them. */
export type Case = {
  place: number;
  contactId: string;
  /** the person after merging; null when there is none any more */
  id: string | null;
  /** with those merged into it */
  ids: string[];
  emails: string[];
  /** the link: of the person, else of someone merged into them */
  recordId: string | null;
  recordUrl: string | null;
  pushed: FieldHashes | null;
  goneAt: Date | null;
  outcome: CrmRunRow["outcome"];
} & Person;

// crm_run_rows_pkey from the position on; for each row entities_pkey, people_pkey, companies_pkey, identifiers_entity_idx,
// crm_records_entity_idx
const open = sql(
  "crm_cases",
  `SELECT r.place, r.contact_id AS "contactId", r.outcome::text AS outcome, p.id, array_append(k.absorbed, k.id) AS ids,
     coalesce((SELECT array_agg(i.value ORDER BY i.value = p.email DESC, i.value) FROM identifiers i WHERE i.workspace_id = $workspace
       AND i.entity_id = p.id AND i.kind = 'email' AND i.retired_at IS NULL), '{}') AS emails,
     p.email, p.first_name AS "firstName", p.last_name AS "lastName", p.job_title AS "jobTitle", p.company, c.domain AS "companyDomain",
     p.phone, p.linkedin_url AS "linkedinUrl", p.pipeline_stage::text AS stage, p.icp_score AS "icpScore",
     p.last_activity_at AS "lastActivityAt", m.record_id AS "recordId", m.record_url AS "recordUrl", m.pushed, m.gone_at AS "goneAt"
   FROM (SELECT place, contact_id, outcome FROM crm_run_rows WHERE workspace_id = $workspace AND run_id = $1 AND place >= $2 AND NOT is_done
     ORDER BY place LIMIT $3) AS r
   JOIN entities e ON e.workspace_id = $workspace AND e.id = r.contact_id
   JOIN entities k ON k.workspace_id = $workspace AND k.id = CASE WHEN e.merged_into IS NULL THEN e.id ELSE e.merged_into END
   LEFT JOIN people p ON p.workspace_id = $workspace AND p.id = k.id AND p.status = 'active' AND p.source <> 'sample'
   LEFT JOIN companies c ON c.workspace_id = $workspace AND c.id = p.company_id
   LEFT JOIN LATERAL (SELECT m.* FROM unnest(array_append(k.absorbed, k.id)) AS part(id) JOIN crm_records m
     ON m.workspace_id = $workspace AND m.entity_id = part.id AND m.provider = $4 AND m.account = $5 ORDER BY m.entity_id = k.id DESC, m.created_at LIMIT 1) AS m ON true
   ORDER BY r.place`,
);

type Where = { id: string; position: number; provider: string; portal: string };

/** The next rows that are not done. */
export const findCases = (db: Db, { id, position, provider, portal }: Where, limit: number): Promise<Case[]> =>
  db.query<Case>(open, [id, position, limit, provider, portal]);

// identifiers_active_key; entities_pkey; people_pkey; crm_records_pkey
const unlinked = sql(
  "crm_people_unlinked",
  `SELECT DISTINCT ON (p.id) p.id, i.value AS email, p.email AS "mainEmail", p.first_name AS "firstName", p.last_name AS "lastName",
     p.job_title AS "jobTitle", p.company, c.domain AS "companyDomain", p.phone, p.linkedin_url AS "linkedinUrl",
     p.pipeline_stage::text AS stage, p.icp_score AS "icpScore", p.last_activity_at AS "lastActivityAt"
   FROM unnest($1::text[]) AS given(email)
   CROSS JOIN LATERAL (SELECT * FROM identifiers i WHERE i.workspace_id = $workspace AND i.kind = 'email' AND i.value = given.email
     AND i.retired_at IS NULL OFFSET 0) AS i
   CROSS JOIN LATERAL (SELECT * FROM people p WHERE p.workspace_id = $workspace AND p.id = i.entity_id OFFSET 0) AS p
   LEFT JOIN companies c ON c.workspace_id = $workspace AND c.id = p.company_id
   WHERE p.status = 'active' AND p.source <> 'sample' AND NOT EXISTS (SELECT FROM entities e CROSS JOIN unnest(array_append(e.absorbed, e.id)) AS part(id)
     JOIN crm_records m ON m.workspace_id = $workspace AND m.entity_id = part.id AND m.provider = $2 AND m.account = $3
     WHERE e.workspace_id = $workspace AND e.id = p.id)
   ORDER BY p.id, (i.value = p.email) DESC`,
);

/** People with one of these addresses who have no link yet, each once, with the address by which they were found. */
export const findUnlinked = async (
  db: Db,
  emails: readonly string[],
  provider: string,
  portal: string,
): Promise<(Person & { id: string; foundBy: string })[]> => {
  const rows = await db.query<Person & { id: string; email: string; mainEmail: string | null }>(unlinked, [
    emails,
    provider,
    portal,
  ]);
  return rows.map(({ mainEmail, ...row }) => ({ ...row, email: mainEmail, foundBy: row.email }));
};
