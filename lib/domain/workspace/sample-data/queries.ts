import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

// people_source_activity_idx; companies have tens of rows of this source at most; notes and observations by entity
const OF_SOURCE = `given AS (
     SELECT id, 'person' AS type FROM people WHERE workspace_id = $workspace AND source = $1
     UNION ALL SELECT id, 'company' FROM companies WHERE workspace_id = $workspace AND source = $1
   ),
   kept AS (
     SELECT id, type FROM given
     WHERE EXISTS (SELECT FROM notes n WHERE n.workspace_id = $workspace AND n.entity_id = given.id AND n.source <> $1)
       OR EXISTS (SELECT FROM observations o WHERE o.workspace_id = $workspace AND o.entity_id = given.id
         AND o.property LIKE 'interaction.%' AND o.source <> $1)
   ),
   gone AS (SELECT id, type FROM given EXCEPT SELECT id, type FROM kept)`;

const MOST_OWN = 10_000;
const ownOf = (table: "people" | "companies") =>
  `(SELECT count(*)::int FROM (SELECT FROM ${table} WHERE workspace_id = $workspace AND source IS DISTINCT FROM $1 LIMIT ${MOST_OWN}) own)`;

const counts = sql(
  "sample_counts",
  `WITH ${OF_SOURCE}
   SELECT (SELECT count(*)::int FROM gone WHERE type = 'person') AS people,
     (SELECT count(*)::int FROM gone WHERE type = 'company') AS companies,
     (SELECT count(*)::int FROM kept) AS kept,
     (SELECT count(*)::int FROM notes n JOIN gone ON gone.id = n.entity_id WHERE n.workspace_id = $workspace) AS notes,
     (SELECT count(*)::int FROM lead_lists WHERE workspace_id = $workspace AND source = $1) AS lists,
     ${ownOf("people")} AS "ownPeople", ${ownOf("companies")} AS "ownCompanies"`,
);

type Counts = { people: number; companies: number; notes: number; lists: number; kept: number };

/** What there is of a source and would go, what stays since others wrote about it, and what is of other sources. */
export async function countOfSource(
  db: Db,
  source: string,
): Promise<Counts & { own: { people: number; companies: number } }> {
  const [row] = await db.query<Counts & { ownPeople: number; ownCompanies: number }>(counts, [source]);
  if (!row) throw new Error("the counts have no row");
  const { ownPeople, ownCompanies, ...of } = row;
  return { ...of, own: { people: ownPeople, companies: ownCompanies } };
}

const ofSource = sql(
  "sample_ids",
  `WITH ${OF_SOURCE}
   SELECT e.id FROM entities e JOIN gone ON e.merged_into = gone.id WHERE e.workspace_id = $workspace
   UNION SELECT id FROM gone`,
);

/** The entities of one source that go, with those that were merged into them. */
export const findIdsOfSource = async (db: Db, source: string): Promise<string[]> =>
  (await db.query<{ id: string }>(ofSource, [source])).map((row) => row.id);
