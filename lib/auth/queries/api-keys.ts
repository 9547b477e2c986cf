import type { WorkspaceId } from "#lib/core/ids.ts";
import type { ApprovalMode, Plan, Scope } from "#lib/core/plans.ts";
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

/** A verified API key, and what a request may do with it. */
export type KeyGrant = {
  workspaceId: WorkspaceId;
  keyId: string;
  prefix: string;
  plan: Plan;
  scopes: readonly Scope[];
  allowedCidrs: readonly string[];
  hash: Buffer;
  expiresAt: Date | null;
  approval: ApprovalMode;
  /** the member whose device login made it; null when it belongs to the workspace */
  loginUserId: string | null;
};

// api_keys_key_hash_idx; workspaces_pkey
const keyByHash = sql(
  "api_key_by_hash",
  `SELECT k.workspace_id, k.id, k.prefix, k.key_hash, k.scopes::text[] AS scopes, k.allowed_cidrs, k.expires_at, k.approval, k.login_user_id, w.plan
   FROM api_keys k JOIN workspaces w ON w.id = k.workspace_id
   WHERE k.key_hash = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`,
);

type KeyRow = {
  workspace_id: string;
  id: string;
  prefix: string;
  key_hash: Buffer;
  scopes: Scope[];
  allowed_cidrs: string[];
  expires_at: Date | null;
  approval: ApprovalMode;
  login_user_id: string | null;
  plan: Plan;
};

/** The live key with this hash; the transaction must carry the proof (`withProof({ keyHash })`). */
export async function findKeyByHash(db: Db, hash: Buffer): Promise<KeyGrant | null> {
  const [row] = await db.query<KeyRow>(keyByHash, [hash]);
  if (!row) return null;
  return {
    workspaceId: row.workspace_id as WorkspaceId,
    keyId: row.id,
    prefix: row.prefix,
    plan: row.plan,
    scopes: row.scopes,
    allowedCidrs: row.allowed_cidrs,
    hash: row.key_hash,
    expiresAt: row.expires_at,
    approval: row.approval,
    loginUserId: row.login_user_id,
  };
}

const told = sql("key_changes_tell", "SELECT pg_notify('rapport_keys', $workspace::text)");

/**
 * Tells every instance, with the COMMIT, that what a key of the workspace may do has changed (`lib/auth/key-changes.ts`).
 * For each statement that changes a key or a plan. No trigger does it, because one would tell only the machine of the row.
 */
export async function tellKeyChange(db: Db): Promise<void> {
  await db.query(told);
}

// api_keys_pkey
const stampUse = sql(
  "api_key_stamp_use",
  `UPDATE api_keys SET last_used_at = $2, last_used_client = coalesce($3, last_used_client)
   WHERE workspace_id = $workspace AND id = $1 AND (last_used_at IS NULL OR last_used_at < $2)`,
);

export async function stampKeyUse(db: Db, keyId: string, at: Date, client: string | null): Promise<void> {
  await db.query(stampUse, [keyId, at, client]);
}
