import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

// people_pkey, companies_pkey, people_company_idx, identifiers_value_key
const times = sql(
  "row_times",
  `WITH named AS (
     SELECT i.entity_id AS id FROM identifiers i WHERE i.workspace_id = $workspace AND i.kind = 'domain' AND i.value = ANY($2) AND i.retired_at IS NULL
     UNION SELECT unnest($1::uuid[])
     UNION SELECT p.company_id FROM people p WHERE p.workspace_id = $workspace AND p.id = ANY($1)
   )
   SELECT id, updated_at AS at FROM people WHERE workspace_id = $workspace AND id = ANY($1)
   UNION ALL SELECT id, updated_at FROM people WHERE workspace_id = $workspace AND company_id = ANY($3) AND id <> ALL($1)
   UNION ALL SELECT c.id, c.updated_at FROM companies c JOIN named ON named.id = c.id WHERE c.workspace_id = $workspace`,
);

/**
 * When the rows of some records last changed, with those of the companies that follow from them: of people in them, and of
 * these domains. `companies`: those whose people follow from them.
 */
export async function findTimes(
  db: Db,
  ids: readonly string[],
  domains: readonly string[],
  companies: readonly string[],
): Promise<Record<string, string>> {
  const rows = await db.query<{ id: string; at: Date }>(times, [ids, domains, companies]);
  return Object.fromEntries(rows.map(({ id, at }) => [id, at.toISOString()]));
}

const restore = (table: string) =>
  sql(
    `${table}_times_restore`,
    `UPDATE ${table} t SET updated_at = g.at FROM unnest($1::uuid[], $2::timestamptz[]) AS g(id, at)
     WHERE t.workspace_id = $workspace AND t.id = g.id AND t.updated_at <= $3`,
  );
const ofPeople = restore("people");
const ofCompanies = restore("companies");

/** Sets these times again on rows that did not change after a moment. */
export async function restoreTimes(db: Db, before: Readonly<Record<string, string>>, until: string): Promise<void> {
  const values = [Object.keys(before), Object.values(before), until];
  await db.query(ofPeople, values);
  await db.query(ofCompanies, values);
}
