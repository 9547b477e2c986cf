import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

export type NewTombstone = { id: string; keyId: string; hash: Buffer };

export async function insertTombstones(db: Db, rows: readonly NewTombstone[]): Promise<void> {
  await db.prisma.tombstone.createMany({
    data: rows.map((row) => ({ ...row, hash: new Uint8Array(row.hash) })),
    skipDuplicates: true,
  });
}

// tombstones_workspace_id_hash_key
const find = sql("tombstones_find", "SELECT hash FROM tombstones WHERE workspace_id = $workspace AND hash = ANY($1)");

/** Those of the hashes that are kept. */
export const findTombstones = async (db: Db, hashes: readonly Buffer[]): Promise<Buffer[]> =>
  (await db.query<{ hash: Buffer }>(find, [hashes])).map(({ hash }) => hash);

// tombstones_workspace_id_hash_key
const some = sql("tombstones_any", "SELECT FROM tombstones WHERE workspace_id = $workspace LIMIT 1");

/** True when the workspace has erased anyone. */
export const hasTombstones = async (db: Db): Promise<boolean> => (await db.query(some)).length > 0;

export const removeTombstones = async (db: Db, hashes: readonly Buffer[]): Promise<number> =>
  (await db.prisma.tombstone.deleteMany({ where: { hash: { in: hashes.map((hash) => new Uint8Array(hash)) } } })).count;
