import { newId } from "#lib/core/ids.ts";
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

export async function insertPasswordReset(db: Db, userId: string, tokenHash: Buffer, expiresAt: Date): Promise<void> {
  await db.prisma.passwordReset.create({
    data: { id: newId(), userId, tokenHash: new Uint8Array(tokenHash), expiresAt },
    select: { id: true },
  });
}

// password_resets_token_hash_key
const usable = sql(
  "password_reset_usable",
  "SELECT EXISTS (SELECT FROM password_resets WHERE token_hash = $1 AND used_at IS NULL AND expires_at > now()) AS usable",
);

export const isUsableReset = async (db: Db, tokenHash: Buffer): Promise<boolean> =>
  (await db.query<{ usable: boolean }>(usable, [tokenHash]))[0]?.usable === true;

// password_resets_token_hash_key. One statement, so that of two simultaneous uses only one succeeds.
const use = sql(
  "password_reset_use",
  `UPDATE password_resets SET used_at = now() WHERE token_hash = $1 AND used_at IS NULL AND expires_at > now()
   RETURNING user_id AS "userId"`,
);

/** The user whose password the token may set, once; null when it was used or has expired. */
export const useReset = async (db: Db, tokenHash: Buffer): Promise<string | null> =>
  (await db.query<{ userId: string }>(use, [tokenHash]))[0]?.userId ?? null;

// password_resets_user_id_idx
const withdraw = sql(
  "password_resets_withdraw",
  "UPDATE password_resets SET used_at = now() WHERE user_id = $1 AND used_at IS NULL",
);

/** Links that were sent before stop working. */
export async function withdrawResets(db: Db, userId: string): Promise<void> {
  await db.query(withdraw, [userId]);
}
