import type { Db } from "#lib/db/handle.ts";
import { lockRow } from "#lib/db/row-locks.ts";
import { sql } from "#lib/db/statement.ts";
import type { Note } from "#prisma/generated/client.ts";
import type { NoteType } from "../contract.ts";

const enqueueRow = sql(
  "note_embedding_enqueue",
  "INSERT INTO note_embedding_queue (workspace_id, note_id) VALUES ($workspace, $1) ON CONFLICT DO NOTHING",
);

/** Remembers that a note has no embedding yet. Sent with the COMMIT. */
export function enqueueEmbedding(db: Db, noteId: string): void {
  void db.defer(enqueueRow, [noteId]);
}

// note_vectors_model_idx (range scans on both sides of the model)
const enqueueOutdated = sql(
  "note_embedding_enqueue_outdated",
  `INSERT INTO note_embedding_queue (workspace_id, note_id)
   SELECT DISTINCT workspace_id, note_id FROM note_vectors WHERE workspace_id = $workspace AND (model < $1 OR model > $1) ON CONFLICT DO NOTHING`,
);

/** Queues every note that another model embedded. */
export async function enqueueOtherModels(db: Db, model: string): Promise<void> {
  await db.query(enqueueOutdated, [model]);
}

// note_embedding_queue_due_idx; notes_pkey. A claim is a lease: if its worker dies, it ends after two minutes.
const claimRows = sql(
  "note_embedding_claim",
  `WITH claimed AS (
     UPDATE note_embedding_queue SET attempts = attempts + 1, due_at = now() + interval '2 minutes'
     WHERE workspace_id = $workspace AND note_id = ANY (ARRAY(
       SELECT q.note_id FROM note_embedding_queue q WHERE q.workspace_id = $workspace AND q.due_at <= now()
       ORDER BY q.due_at, q.note_id LIMIT $1 FOR UPDATE SKIP LOCKED))
     RETURNING note_id, attempts
   )
   SELECT n.id, n.entity_id AS "entityId", n.type::text, n.title, n.content, c.attempts
   FROM claimed c JOIN notes n ON n.workspace_id = $workspace AND n.id = c.note_id`,
);

export type NoteToEmbed = Pick<Note, "id" | "entityId" | "type" | "title" | "content"> & { attempts: number };

/** Takes notes to embed, so that no other worker does for a while. */
export const claimToEmbed = (db: Db, many: number): Promise<NoteToEmbed[]> => db.query<NoteToEmbed>(claimRows, [many]);

// note_embedding_queue_due_idx
const nextDueRow = sql(
  "note_embedding_next_due",
  `SELECT ceil(extract(epoch FROM q.due_at - now()) * 1000)::float8 AS ms FROM note_embedding_queue q
   WHERE q.workspace_id = $workspace ORDER BY q.due_at LIMIT 1`,
);

/** In how many milliseconds the next note is due; null when none is queued. */
export const findNextDue = async (db: Db): Promise<number | null> =>
  (await db.query<{ ms: number }>(nextDueRow))[0]?.ms ?? null;

const releaseRows = sql(
  "note_embedding_release",
  `UPDATE note_embedding_queue SET due_at = now() + $2 * interval '1 millisecond', attempts = attempts - $3
   WHERE workspace_id = $workspace AND note_id = ANY($1)`,
);

/** Gives back claimed notes that were not tried, due after this long; the claim does not count as an attempt. */
export async function releaseEmbedding(db: Db, noteIds: readonly string[], ms: number): Promise<void> {
  await db.query(releaseRows, [noteIds, ms, 1]);
}

/** Makes a claimed note that failed wait this long. */
export async function postponeEmbedding(db: Db, noteId: string, ms: number): Promise<void> {
  await db.query(releaseRows, [[noteId], ms, 0]);
}

/** Takes a note out of the search by meaning, and out of the queue. */
export async function dropVectors(db: Db, noteId: string): Promise<void> {
  await db.prisma.noteVector.deleteMany({ where: { noteId } });
  await db.prisma.noteToEmbed.deleteMany({ where: { noteId } });
}

export type NewVector = { position: number; signs: string; vector: Float32Array };

const insertRows = sql(
  "note_vectors_insert",
  `INSERT INTO note_vectors (workspace_id, note_id, chunk, entity_id, type, model, dimension, position, signs, vector)
   SELECT $workspace, n.id, v.chunk - 1, n.entity_id, n.type, $2, $3, v.position, v.signs::varbit, v.vector::real[]
   FROM notes n CROSS JOIN unnest($4::int[], $5::text[], $6::text[]) WITH ORDINALITY AS v(position, signs, vector, chunk)
   WHERE n.workspace_id = $workspace AND n.id = $1
     AND NOT EXISTS (SELECT FROM notes s WHERE s.workspace_id = $workspace AND s.supersedes = n.id) RETURNING NULL`,
);
/** Replaces the vectors of a note, which then is no longer queued. */
export async function writeVectors(
  db: Db,
  noteId: string,
  model: string,
  vectors: readonly NewVector[],
): Promise<void> {
  await lockRow(db, "notes", noteId); // before its vectors: erasing a note takes them after it
  await db.prisma.noteVector.deleteMany({ where: { noteId } });
  if (vectors.length > 0) {
    await db.query(insertRows, [
      noteId,
      model,
      vectors[0]?.vector.length,
      vectors.map(({ position }) => position),
      vectors.map(({ signs }) => signs),
      vectors.map(({ vector }) => `{${vector.join(",")}}`),
    ]);
  }
  await db.prisma.noteToEmbed.deleteMany({ where: { noteId } });
}

// note_vectors_model_idx. Every vector of the model is compared by its signs, 1 bit per dimension in the row itself;
// only
// the nearest are read in full from where long values are kept.
const nearRows = sql(
  "note_vectors_near",
  `SELECT v.note_id AS "noteId", v.position, array_send(v.vector) AS vector FROM (
     SELECT s.note_id, s.chunk FROM note_vectors s
     WHERE s.workspace_id = $workspace AND s.model = $1 AND s.dimension = $2
       AND ($4::uuid[] IS NULL OR s.entity_id = ANY($4)) AND ($5::note_type[] IS NULL OR s.type = ANY($5::note_type[]))
     ORDER BY bit_count(s.signs # $3::varbit) LIMIT $6) AS near
   JOIN note_vectors v ON v.workspace_id = $workspace AND v.note_id = near.note_id AND v.chunk = near.chunk`,
);

/** The passages whose vectors' signs differ least from those given, within a focus and some types. */
export const findNear = (
  db: Db,
  { model, dimension, signs }: { model: string; dimension: number; signs: string },
  { entityIds, types }: { entityIds: readonly string[] | null; types: readonly NoteType[] | null },
  limit: number,
) =>
  db.query<{ noteId: string; position: number; vector: Buffer }>(nearRows, [
    model,
    dimension,
    signs,
    entityIds,
    types,
    limit,
  ]);
