import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

// people_pkey, companies_pkey, note_names_entity_idx. Once an entity has notes, triggers keep its words when it is renamed.
const addRow = sql(
  "note_names_add",
  `SELECT rapport_note_names(named.id, named.search) FROM (
     SELECT id, search FROM people WHERE workspace_id = $workspace AND id = $1
     UNION ALL SELECT id, search FROM companies WHERE workspace_id = $workspace AND id = $1) AS named
   WHERE NOT EXISTS (SELECT FROM note_names n WHERE n.workspace_id = $workspace AND n.entity_id = $1)`,
);

/** Makes the notes of a person or company findable by its name. */
export async function addNames(db: Db, entityId: string): Promise<void> {
  await db.query(addRow, [entityId]);
}
