import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { Stage } from "#lib/domain/crm/recording/contract.ts";

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
