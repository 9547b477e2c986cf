import { together } from "#lib/core/together.ts";
import { unchanged } from "#lib/db/generated-columns.ts";
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

// people_pkey, companies_pkey, people_company_idx, each by a plain id
const times = sql(
  "row_times",
  `SELECT p.id, p.updated_at AS at FROM unnest($1::uuid[]) AS g(id)
     CROSS JOIN LATERAL (SELECT * FROM people p WHERE p.workspace_id = $workspace AND p.id = g.id OFFSET 0) AS p
   UNION SELECT c.id, c.updated_at FROM unnest($1::uuid[]) AS g(id)
     CROSS JOIN LATERAL (SELECT * FROM companies c WHERE c.workspace_id = $workspace AND c.id = g.id OFFSET 0) AS c
   UNION SELECT p.id, p.updated_at FROM unnest($2::uuid[]) AS g(id)
     CROSS JOIN LATERAL (SELECT * FROM people p WHERE p.workspace_id = $workspace AND p.company_id = g.id OFFSET 0) AS p
   UNION SELECT c.id, c.updated_at FROM unnest($3::uuid[], $4::boolean[]) AS g(id, acts)
     CROSS JOIN LATERAL (SELECT * FROM people p WHERE p.workspace_id = $workspace AND p.id = g.id AND (p.last_activity_at IS NOT NULL OR g.acts) OFFSET 0) AS p
     CROSS JOIN LATERAL (SELECT * FROM companies c WHERE c.workspace_id = $workspace AND c.id = p.company_id OFFSET 0) AS c`,
);

/**
 * `renamed`: companies whose people may be shown with another name or domain; `movers`: people who may get another company, and
 * take their activity away from theirs; `acting`: people with new activity, which their company shows too.
 */
type Whose = {
  ids: readonly string[];
  renamed: readonly string[];
  movers: readonly string[];
  acting: readonly string[];
};

/** When the rows of some records last changed, with those of the people and companies that follow from them. */
export async function findTimes(db: Db, { ids, renamed, movers, acting }: Whose): Promise<Record<string, string>> {
  if (ids.length === 0) return {};
  const rows = await db.query<{ id: string; at: Date }>(times, [
    ids,
    renamed,
    [...movers, ...acting],
    [...movers.map(() => false), ...acting.map(() => true)],
  ]);
  return Object.fromEntries(rows.map(({ id, at }) => [id, at.toISOString()]));
}

const restore = (table: string) =>
  sql(
    `${table}_times_restore`,
    `UPDATE ${table} t SET updated_at = g.at, ${unchanged("t", "search")} FROM unnest($1::uuid[], $2::timestamptz[]) AS g(id, at)
     WHERE t.workspace_id = $workspace AND t.id = g.id AND t.updated_at <= $3`,
  );
const ofPeople = restore("people");
const ofCompanies = restore("companies");

/** Sets these times again on rows that did not change after a moment. */
export async function restoreTimes(db: Db, before: Readonly<Record<string, string>>, until: string): Promise<void> {
  const values = [Object.keys(before), Object.values(before), until];
  await together([db.query(ofPeople, values), db.query(ofCompanies, values)]);
}
