import type { Db } from "./handle.ts";
import { tryLock } from "./locks.ts";
import { sql } from "./statement.ts";

export type IdempotentAnswer = { fingerprint: Buffer; status: number; body: string; encrypted: boolean };

/** False while another transaction works on the same key. Held until this transaction ends. */
export const lockIdempotencyKey = (db: Db, key: string): Promise<boolean> => tryLock(db, "idempotency", key);

// idempotency_workspace_id_key_key
const findKey = sql(
  "idempotency_find",
  "SELECT fingerprint, status, body, encrypted FROM idempotency WHERE workspace_id = $workspace AND key = $1 AND created_at > now() - interval '24 hours'",
);

export async function findIdempotent(db: Db, key: string): Promise<IdempotentAnswer | null> {
  return (await db.query<IdempotentAnswer>(findKey, [key]))[0] ?? null;
}

const insertKey = sql(
  "idempotency_insert",
  `INSERT INTO idempotency (workspace_id, id, key, fingerprint, status, body, encrypted)
   VALUES ($workspace, $1, $2, $3, $4, $5, $6)
   ON CONFLICT (workspace_id, key) DO UPDATE SET fingerprint = excluded.fingerprint, status = excluded.status,
     body = excluded.body, encrypted = excluded.encrypted, created_at = excluded.created_at`,
);

/** Keeps an answer; an expired one under the same key is replaced. */
export async function insertIdempotent(db: Db, answer: IdempotentAnswer & { id: string; key: string }): Promise<void> {
  await db.query(insertKey, [answer.id, answer.key, answer.fingerprint, answer.status, answer.body, answer.encrypted]);
}

// idempotency_workspace_id_created_at_idx; idempotency_pkey. Checks the time twice: a key may be used again meanwhile.
const removeExpired = sql(
  "idempotency_expire",
  `DELETE FROM idempotency WHERE workspace_id = $workspace AND created_at <= now() - interval '24 hours' AND id IN (
     SELECT id FROM idempotency WHERE workspace_id = $workspace AND created_at <= now() - interval '24 hours'
     ORDER BY created_at LIMIT $1)
   RETURNING id`,
);

/** Removes at most `limit` answers whose keys may be used again, and returns how many. */
export const removeExpiredIdempotent = async (db: Db, limit: number): Promise<number> =>
  (await db.query(removeExpired, [limit])).length;
