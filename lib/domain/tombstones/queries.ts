import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

export type NewTombstone = { id: string; keyId: string; hash: Buffer };

// tombstones_workspace_id_hash_key
const insert = sql(
  "tombstones_insert",
  `INSERT INTO tombstones (workspace_id, id, key_id, hash) SELECT $workspace, * FROM unnest($1::uuid[], $2::text[], $3::bytea[])
   ON CONFLICT (workspace_id, hash) DO NOTHING`,
);

export async function insertTombstones(db: Db, rows: readonly NewTombstone[]): Promise<void> {
  await db.query(insert, [rows.map(({ id }) => id), rows.map(({ keyId }) => keyId), rows.map(({ hash }) => hash)]);
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

// tombstones_workspace_id_hash_key
const remove = sql(
  "tombstones_remove",
  "DELETE FROM tombstones WHERE workspace_id = $workspace AND hash = ANY($1) RETURNING id",
);

export const removeTombstones = async (db: Db, hashes: readonly Buffer[]): Promise<number> =>
  (await db.query(remove, [hashes])).length;
