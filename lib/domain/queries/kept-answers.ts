import type { Db } from "#lib/db/handle.ts";
import { tryLock } from "#lib/db/locks.ts";
import { sql } from "#lib/db/statement.ts";

/** `caller`: who sent the request, `<actor type>:<actor id>`; null when it was kept before that was known. */
export type IdempotentAnswer = {
  caller: string | null;
  fingerprint: Buffer;
  status: number;
  body: string;
  encrypted: boolean;
};

/** How long a transaction may be under way that found nothing under a key. */
const UNDER_WAY_MS = 3_600_000;

/** False while another transaction works on the same key. Held until this transaction ends. */
export const lockIdempotencyKey = (db: Db, key: string): Promise<boolean> => tryLock(db, "idempotency", key);

// idempotency_workspace_id_key_key
const findKey = sql(
  "idempotency_find",
  "SELECT caller, fingerprint, status, body, encrypted FROM idempotency WHERE workspace_id = $workspace AND key = $1 AND created_at > now() - interval '24 hours'",
);

export async function findIdempotent(db: Db, key: string): Promise<IdempotentAnswer | null> {
  return (await db.query<IdempotentAnswer>(findKey, [key]))[0] ?? null;
}

const insertKey = sql(
  "idempotency_insert",
  `INSERT INTO idempotency (workspace_id, id, key, caller, fingerprint, status, body, encrypted)
   VALUES ($workspace, $1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT (workspace_id, key) DO UPDATE SET caller = excluded.caller, fingerprint = excluded.fingerprint,
     status = excluded.status, body = excluded.body, encrypted = excluded.encrypted, created_at = excluded.created_at
   WHERE idempotency.caller IS NULL OR idempotency.caller = excluded.caller OR idempotency.created_at < $8::timestamptz
   RETURNING id`,
);

/**
 * Keeps an answer; one of the same caller, or an expired one, under the same key is replaced. False when another caller's is
 * there, which stays.
 */
export async function insertIdempotent(
  db: Db,
  answer: IdempotentAnswer & { id: string; key: string },
): Promise<boolean> {
  const { id, key, caller, fingerprint, status, body, encrypted } = answer;
  const others = new Date(Date.now() - UNDER_WAY_MS);
  return (await db.query(insertKey, [id, key, caller, fingerprint, status, body, encrypted, others])).length > 0;
}

// idempotency_workspace_id_created_at_idx; idempotency_pkey. Checks the time twice: a key may be used again meanwhile.
const removeExpired = sql(
  "idempotency_expire",
  `DELETE FROM idempotency WHERE workspace_id = $workspace AND created_at <= now() - interval '24 hours' AND id = ANY (ARRAY(
     SELECT id FROM idempotency WHERE workspace_id = $workspace AND created_at <= now() - interval '24 hours'
     ORDER BY created_at LIMIT $1))
   RETURNING id`,
);

/** Removes at most `limit` answers whose keys may be used again, and returns how many. */
export const removeExpiredIdempotent = async (db: Db, limit: number): Promise<number> =>
  (await db.query(removeExpired, [limit])).length;
