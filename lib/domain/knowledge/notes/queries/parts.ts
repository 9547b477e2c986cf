import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { Note, NotePart } from "#prisma/generated/client.ts";

/** The note a part belongs to, as far as search filters and ranks by it. */
export type PartOwner = Pick<Note, "id" | "entityId" | "type" | "date">;

export type NewPart = { part: number; length: number; words: Buffer; pending: string };

const insertRows = sql(
  "note_parts_insert",
  `INSERT INTO note_parts (workspace_id, note_id, part, entity_id, type, date, length, words, pending)
   SELECT $workspace, $1, p.part, $2, $3::note_type, $4, p.length, p.words, p.pending
   FROM unnest($5::int[], $6::int[], $7::bytea[], $8::text[]) AS p(part, length, words, pending) RETURNING NULL`,
);

/** Sent with the COMMIT. */
export function insertParts(db: Db, owner: PartOwner, parts: readonly NewPart[]): void {
  void db.defer(insertRows, [
    owner.id,
    owner.entityId,
    owner.type,
    owner.date,
    parts.map(({ part }) => part),
    parts.map(({ length }) => length),
    parts.map(({ words }) => words),
    parts.map(({ pending }) => pending),
  ]);
}

// note_parts_pending_idx
const pendingRows = sql(
  "note_parts_pending",
  `SELECT note_id AS "noteId", part, type::text, date, length, pending FROM note_parts
   WHERE workspace_id = $workspace AND pending IS NOT NULL ORDER BY note_id, part LIMIT $1`,
);

export type PendingPart = Omit<NotePart, "workspaceId" | "number" | "entityId" | "words" | "pending"> & {
  pending: string;
};

/** Parts the postings do not hold yet, the oldest first. */
export const findPending = (db: Db, limit: number): Promise<PendingPart[]> =>
  db.query<PendingPart>(pendingRows, [limit]);

// note_parts_pending_idx
const pendingCount = sql(
  "note_parts_pending_count",
  `SELECT count(*)::int AS parts, coalesce(sum(length), 0)::int AS words,
     EXISTS (SELECT FROM note_remainders WHERE workspace_id = $workspace) AS unread,
     EXISTS (SELECT FROM note_remainders WHERE workspace_id = $workspace AND part > 0) AS begun
   FROM note_parts WHERE workspace_id = $workspace AND pending IS NOT NULL`,
);

/**
 * `unread`: some note has not been read to its end; `begun`: one that was just saved, not one of an index being
 * rebuilt.
 */
export type Waiting = { parts: number; words: number; unread: boolean; begun: boolean };

/** How much waits to be read and to be merged. */
export async function countPending(db: Db): Promise<Waiting> {
  const [row] = await db.query<Waiting>(pendingCount);
  return row ?? { parts: 0, words: 0, unread: false, begun: false };
}

const numberRows = sql(
  "note_parts_number",
  `UPDATE note_parts p SET number = n.number, pending = NULL FROM unnest($1::uuid[], $2::int[], $3::int[]) AS n(note_id, part, number)
   WHERE p.workspace_id = $workspace AND p.note_id = n.note_id AND p.part = n.part`,
);

/** Gives parts the numbers that the postings use for them. */
export async function numberParts(
  db: Db,
  parts: readonly { noteId: string; part: number; number: number }[],
): Promise<void> {
  await db.query(numberRows, [
    parts.map(({ noteId }) => noteId),
    parts.map(({ part }) => part),
    parts.map(({ number }) => number),
  ]);
}

const insertRemainderRow = sql(
  "note_remainder_insert",
  "INSERT INTO note_remainders (workspace_id, note_id, part, position) VALUES ($workspace, $1, $2, $3)",
);

/** Records that a note has been read only up to a position. Sent with the COMMIT. */
export function insertRemainder(db: Db, noteId: string, part: number, position: number): void {
  void db.defer(insertRemainderRow, [noteId, part, position]);
}

// note_remainders_pkey; notes_pkey
const takeRemainderRow = sql(
  "note_remainder_take",
  `SELECT r.part, r.position, n.id, n.entity_id AS "entityId", n.type::text, n.date, n.title, n.content
   FROM note_remainders r JOIN notes n ON n.workspace_id = r.workspace_id AND n.id = r.note_id
   WHERE r.workspace_id = $workspace AND r.part >= $1 ORDER BY r.note_id LIMIT 1 FOR KEY SHARE OF n SKIP LOCKED FOR UPDATE OF r SKIP LOCKED`,
);

export type Remainder = PartOwner & { part: number; position: number; title: string | null; content: string };

/**
 * The oldest note that has not been read to its end, has at least `from` parts read, and is not being read by anyone
 * else; locked until the transaction ends.
 */
export const takeRemainder = async (db: Db, from: number): Promise<Remainder | null> =>
  (await db.query<Remainder>(takeRemainderRow, [from]))[0] ?? null;

/** Records how far a note has been read; null: to the end. */
export async function moveRemainder(
  db: Db,
  noteId: string,
  to: { part: number; position: number } | null,
): Promise<void> {
  const { noteRemainder } = db.prisma;
  await (to
    ? noteRemainder.updateMany({ where: { noteId }, data: to })
    : noteRemainder.deleteMany({ where: { noteId } }));
}

/**
 * Takes a note out of the search by words. First what says that it must still be read: a job that reads on then finds
 * nothing. The caller holds the merge lock.
 */
export async function dropParts(db: Db, noteId: string): Promise<void> {
  await moveRemainder(db, noteId, null);
  await db.prisma.notePart.deleteMany({ where: { noteId } });
}
