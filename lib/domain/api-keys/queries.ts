import { tellKeyChange } from "#lib/auth/queries/api-keys.ts";
import type { ApprovalMode, Scope } from "#lib/core/plans.ts";
import { together } from "#lib/core/together.ts";
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

export type KeyRow = {
  id: string;
  name: string;
  prefix: string;
  lastFour: string;
  scopes: Scope[];
  allowedCidrs: string[];
  /** `<actor type>:<actor id>` */
  createdBy: string;
  /** name of the person who minted it; null when it was not a person, or the account is gone */
  creator: string | null;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  replacedBy: string | null;
  lastUsedAt: Date | null;
  lastUsedClient: string | null;
  approval: ApprovalMode;
  /** the member whose device login made it; null when it belongs to the workspace */
  loginUserId: string | null;
};

const SELECT = `SELECT k.id, k.name, k.prefix, k.last_four AS "lastFour", k.scopes::text[] AS scopes, k.allowed_cidrs AS "allowedCidrs",
    k.created_by AS "createdBy", coalesce(nullif(u.name, ''), u.email) AS creator, k.created_at AS "createdAt", k.expires_at AS "expiresAt",
    k.revoked_at AS "revokedAt", k.replaced_by AS "replacedBy", k.last_used_at AS "lastUsedAt", k.last_used_client AS "lastUsedClient",
    k.approval, k.login_user_id AS "loginUserId"
  FROM api_keys k
  LEFT JOIN users u ON u.id = CASE WHEN k.created_by LIKE 'user:%' THEN substr(k.created_by, 6)::uuid END`;

// api_keys_pkey: a workspace has tens of keys; users_pkey
const all = sql("api_keys_all", `${SELECT} WHERE k.workspace_id = $workspace ORDER BY k.created_at DESC, k.id DESC`);

/** Every key of the workspace, newest first. */
export const findKeys = (db: Db): Promise<KeyRow[]> => db.query<KeyRow>(all);

// api_keys_pkey; users_pkey
const one = sql("api_key_one", `${SELECT} WHERE k.workspace_id = $workspace AND k.id = $1`);
const oneLocked = sql("api_key_one_locked", `${one.text} FOR UPDATE OF k`);

export const findKey = async (db: Db, id: string): Promise<KeyRow | null> =>
  (await db.query<KeyRow>(one, [id]))[0] ?? null;

/** The key, locked until this transaction ends. */
export const findKeyToChange = async (db: Db, id: string): Promise<KeyRow | null> =>
  (await db.query<KeyRow>(oneLocked, [id]))[0] ?? null;

export type NewKey = Pick<
  KeyRow,
  | "id"
  | "name"
  | "prefix"
  | "lastFour"
  | "scopes"
  | "allowedCidrs"
  | "createdBy"
  | "createdAt"
  | "expiresAt"
  | "approval"
  | "loginUserId"
> & {
  hash: Buffer;
};

const insert = sql(
  "api_key_insert",
  `INSERT INTO api_keys (workspace_id, id, name, prefix, last_four, key_hash, scopes, allowed_cidrs, created_by, created_at, expires_at, approval, login_user_id)
   VALUES ($workspace, $1, $2, $3, $4, $5, $6::scope[], $7, $8, $9, $10, $11::approval_mode, $12)`,
);

export async function insertKey(db: Db, key: NewKey): Promise<void> {
  const made = [key.id, key.name, key.prefix, key.lastFour, key.hash];
  const limits = [key.scopes, key.allowedCidrs];
  const life = [key.createdBy, key.createdAt, key.expiresAt, key.approval, key.loginUserId];
  await db.query(insert, [...made, ...limits, ...life]);
}

// api_keys_pkey. Authentication compares with the database's clock, so this does too.
const replace = sql(
  "api_key_replace",
  `UPDATE api_keys SET replaced_by = $2, expires_at = least(expires_at, now() + make_interval(hours => $3))
   WHERE workspace_id = $workspace AND id = $1`,
);

/** The key expires after `overlapHours`, or earlier if it was due to expire earlier. */
export async function markReplaced(db: Db, id: string, successorId: string, overlapHours: number): Promise<void> {
  await together([db.query(replace, [id, successorId, overlapHours]), tellKeyChange(db)]);
}

// api_keys_pkey
const setMode = sql(
  "api_key_set_approval",
  "UPDATE api_keys SET approval = $2::approval_mode WHERE workspace_id = $workspace AND id = $1",
);

export async function setApproval(db: Db, id: string, approval: ApprovalMode): Promise<void> {
  await together([db.query(setMode, [id, approval]), tellKeyChange(db)]);
}

// api_keys_pkey
const revoke = sql(
  "api_key_revoke",
  "UPDATE api_keys SET revoked_at = now() WHERE workspace_id = $workspace AND id = $1",
);

export async function markRevoked(db: Db, id: string): Promise<void> {
  await together([db.query(revoke, [id]), tellKeyChange(db)]);
}

// api_keys_pkey: a workspace has tens of keys
const lockOfLogins = sql(
  "api_keys_of_logins_locked",
  "SELECT id FROM api_keys WHERE workspace_id = $workspace AND login_user_id = $1 ORDER BY id FOR UPDATE",
);
const revokeOfLogins = sql(
  "api_keys_of_logins_revoke",
  `UPDATE api_keys SET revoked_at = now() WHERE workspace_id = $workspace AND login_user_id = $1 AND revoked_at IS NULL
   RETURNING id, name`,
);

/** Revokes the keys that the user's device logins made, and those that replaced them. Locked first: a key that another transaction just put in the place of one is then seen. */
export async function markKeysOfLoginsRevoked(db: Db, userId: string): Promise<Pick<KeyRow, "id" | "name">[]> {
  await db.query(lockOfLogins, [userId]);
  const [revoked] = await together([
    db.query<Pick<KeyRow, "id" | "name">>(revokeOfLogins, [userId]),
    tellKeyChange(db),
  ]);
  return revoked;
}

// workspaces_pkey
const workspaceName = sql("api_key_workspace_name", "SELECT name FROM workspaces WHERE id = $workspace");

export const findWorkspaceName = async (db: Db): Promise<string> =>
  (await db.query<{ name: string }>(workspaceName))[0]?.name ?? "";
