import { together } from "#lib/core/together.ts";
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

const clearNames = sql("note_index_clear_names", "DELETE FROM note_names WHERE workspace_id = $workspace");
const markUnread = sql(
  "note_index_mark_unread",
  `INSERT INTO note_remainders AS r (workspace_id, note_id, part, position) SELECT workspace_id, id, 0, 0 FROM notes n WHERE workspace_id = $workspace
     AND NOT EXISTS (SELECT FROM notes s WHERE s.workspace_id = $workspace AND s.supersedes = n.id)
   ON CONFLICT (workspace_id, note_id) DO UPDATE SET part = 0, position = 0`,
);
const clearParts = sql(
  "note_index_clear_parts",
  `DELETE FROM note_parts p WHERE p.workspace_id = $workspace AND EXISTS (
     SELECT FROM note_remainders r WHERE r.workspace_id = $workspace AND r.note_id = p.note_id AND r.part = 0)`,
);
const clearTerms = sql("note_index_clear_terms", "DELETE FROM note_terms WHERE workspace_id = $workspace");
const clearPostings = sql("note_index_clear_postings", "DELETE FROM note_postings WHERE workspace_id = $workspace");
const clearTotals = sql("note_index_clear_totals", "DELETE FROM note_totals WHERE workspace_id = $workspace");

/**
 * Deletes all that was derived from the notes, and marks every note as not read. The caller holds the merge lock.
 *
 * The order is safe for notes that are saved meanwhile: each statement sees more of them than the one before. Names go
 * first: reading a marked note adds them again, and a note whose save found them there belongs to someone who has a
 * marked one. Parts go last and only of marked notes: a note that was saved after the marking keeps its own.
 */
export async function clearIndex(db: Db): Promise<void> {
  await together(
    [clearNames, markUnread, clearParts, clearTerms, clearPostings, clearTotals].map((each) => db.query(each)),
  );
}

export async function markUnreadNotes(db: Db): Promise<void> {
  await db.query(markUnread);
}
