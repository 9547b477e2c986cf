import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

// One statement: a note that is saved meanwhile keeps its own parts, and is not read twice.
const clearRows = sql(
  "note_index_clear",
  `WITH parts AS (DELETE FROM note_parts WHERE workspace_id = $workspace),
     terms AS (DELETE FROM note_terms WHERE workspace_id = $workspace),
     postings AS (DELETE FROM note_postings WHERE workspace_id = $workspace),
     totals AS (DELETE FROM note_totals WHERE workspace_id = $workspace),
     names AS (DELETE FROM note_names WHERE workspace_id = $workspace)
   INSERT INTO note_remainders AS r (workspace_id, note_id, part, position) SELECT workspace_id, id, 0, 0 FROM notes WHERE workspace_id = $workspace
   ON CONFLICT (workspace_id, note_id) DO UPDATE SET part = 0, position = 0`,
);

/** Forgets all that was derived from the notes, and marks every note as not read. The caller holds the merge lock. */
export async function clearIndex(db: Db): Promise<void> {
  await db.query(clearRows);
}
