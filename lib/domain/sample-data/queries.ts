import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

// people_source_activity_idx; companies have tens of rows of this source at most
const counts = sql(
  "sample_counts",
  `SELECT (SELECT count(*)::int FROM people WHERE workspace_id = $workspace AND source = $1) AS people,
     (SELECT count(*)::int FROM companies WHERE workspace_id = $workspace AND source = $1) AS companies`,
);

export async function countOfSource(db: Db, source: string): Promise<{ people: number; companies: number }> {
  const [row] = await db.query<{ people: number; companies: number }>(counts, [source]);
  return row ?? { people: 0, companies: 0 };
}

const ofSource = sql(
  "sample_ids",
  `WITH gone AS (
     SELECT id FROM people WHERE workspace_id = $workspace AND source = $1
     UNION SELECT id FROM companies WHERE workspace_id = $workspace AND source = $1
   )
   SELECT e.id FROM entities e JOIN gone ON e.merged_into = gone.id WHERE e.workspace_id = $workspace
   UNION SELECT id FROM gone`,
);

/** The entities of one source, with those that were merged into them. */
export const findIdsOfSource = async (db: Db, source: string): Promise<string[]> =>
  (await db.query<{ id: string }>(ofSource, [source])).map((row) => row.id);
