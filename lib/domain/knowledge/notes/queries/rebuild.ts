import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

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
/**
 * Deletes all that was derived from the notes, and marks every note as not read. The caller holds the merge lock.
 *
 * The order is safe for notes that are saved meanwhile: each statement sees more of them than the one before. Names go
 * first: reading a marked note adds them again, and a note whose save found them there belongs to someone who has a
 * marked one. Parts go last and only of marked notes: a note that was saved after the marking keeps its own.
 */
export async function clearIndex(db: Db): Promise<void> {
  await db.prisma.noteName.deleteMany();
  await db.query(markUnread);
  await db.query(clearParts);
  await db.prisma.noteTerm.deleteMany();
  await db.prisma.notePosting.deleteMany();
  await db.prisma.noteTotal.deleteMany();
}

/** Records, where notes are written without indexing them, that they are still to be read: `finishIndex`, or the next maintenance, does it. */
export async function markUnreadNotes(db: Db): Promise<void> {
  await db.query(markUnread);
}
