import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

// people_pkey, companies_pkey, note_names_entity_idx. Once someone has notes, `keepNoteNames` keeps their words after
// a rename.
const addRow = sql(
  "note_names_add",
  `INSERT INTO note_names (workspace_id, word, entity_id)
   SELECT DISTINCT $workspace, left(split.word, 64), $1::uuid FROM (
     SELECT search FROM people WHERE workspace_id = $workspace AND id = $1
     UNION ALL SELECT search FROM companies WHERE workspace_id = $workspace AND id = $1
   ) AS named CROSS JOIN LATERAL regexp_split_to_table(named.search, '[^[:alnum:]]+') AS split(word)
   WHERE length(split.word) > 1 AND NOT EXISTS (SELECT FROM note_names n WHERE n.workspace_id = $workspace AND n.entity_id = $1)
   ON CONFLICT DO NOTHING`,
);

/** Makes the notes of a person or company findable by its name. Sent with the COMMIT. */
export function addNames(db: Db, entityId: string): void {
  void db.defer(addRow, [entityId]);
}
