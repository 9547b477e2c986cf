import type { Db } from "#lib/db/handle.ts";
import { lock, tryLock } from "#lib/db/locks.ts";
import { sql } from "#lib/db/statement.ts";

/** Bytes after which the latest entries of a term are closed as a block. A row of this size stays in the page. */
const BLOCK = 1800;

/** Makes this transaction the only writer of the workspace's postings until it ends; false when there is another. */
export const tryMergeLock = (db: Db): Promise<boolean> => tryLock(db, "postings");

/** Like `tryMergeLock`, but waits. */
export const waitMergeLock = (db: Db): Promise<void> => lock(db, "postings");

export type Totals = { nextNumber: number; parts: number; length: number };

const totalsRow = sql(
  "note_totals_get",
  `SELECT next_number AS "nextNumber", parts, length FROM note_totals WHERE workspace_id = $workspace`,
);

export const findTotals = async (db: Db): Promise<Totals> =>
  (await db.query<Totals>(totalsRow))[0] ?? { nextNumber: 0, parts: 0, length: 0 };

const setTotalsRow = sql(
  "note_totals_set",
  `INSERT INTO note_totals AS t (workspace_id, next_number, parts, length) VALUES ($workspace, $1, $2, $3)
   ON CONFLICT (workspace_id) DO UPDATE SET next_number = excluded.next_number, parts = excluded.parts, length = excluded.length`,
);

export async function setTotals(db: Db, totals: Totals): Promise<void> {
  await db.query(setTotalsRow, [totals.nextNumber, totals.parts, totals.length]);
}

// One statement: a block that would grow too long is closed, and the new entries begin the next one. The two writes see
// the same rows because only the holder of the merge lock writes here.
const mergeRows = sql(
  "note_terms_merge",
  `WITH added AS (
     SELECT a.term, a.parts, substring($4::bytea FROM a.start + 1 FOR a.bytes) AS entries
     FROM unnest($1::text[], $2::int[], $3::int[], $5::int[]) AS a(term, parts, start, bytes)
   ), closed AS (
     INSERT INTO note_postings (workspace_id, term, block, entries)
     SELECT t.workspace_id, t.term, t.blocks, t.entries FROM added JOIN note_terms t ON t.workspace_id = $workspace AND t.term = added.term
     WHERE length(t.entries) > 0 AND length(t.entries) + length(added.entries) > ${BLOCK}
     RETURNING NULL
   )
   INSERT INTO note_terms AS t (workspace_id, term, parts, blocks, entries)
   SELECT $workspace, term, parts, 0, entries FROM added
   ON CONFLICT (workspace_id, term) DO UPDATE SET parts = t.parts + excluded.parts,
     blocks = t.blocks + (length(t.entries) > 0 AND length(t.entries) + length(excluded.entries) > ${BLOCK})::int,
     entries = CASE WHEN length(t.entries) + length(excluded.entries) > ${BLOCK} THEN excluded.entries ELSE t.entries || excluded.entries END`,
);

/** Adds entries to the postings of terms. The caller holds the merge lock. */
export async function mergeEntries(
  db: Db,
  added: readonly { term: string; parts: number; entries: Buffer }[],
): Promise<void> {
  const sizes = added.map(({ entries }) => entries.length);
  let next = 0;
  const starts = sizes.map((size) => {
    next += size;
    return next - size;
  });
  await db.query(mergeRows, [
    added.map(({ term }) => term),
    added.map(({ parts }) => parts),
    starts,
    Buffer.concat(added.map(({ entries }) => entries)),
    sizes,
  ]);
}
