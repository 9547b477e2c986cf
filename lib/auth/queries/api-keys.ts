import type { Statement } from "#lib/core/context.ts";
import type { WorkspaceId } from "#lib/core/ids.ts";
import { type Limits, limitsIn, type RecordKind } from "#lib/core/limits.ts";
import type { ApprovalMode, KeyScope, Plan } from "#lib/core/plans.ts";
import { together } from "#lib/core/together.ts";
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

/** A verified API key, and what a request may do with it. */
export type KeyGrant = {
  workspaceId: WorkspaceId;
  keyId: string;
  prefix: string;
  plan: Plan;
  scopes: readonly KeyScope[];
  allowedCidrs: readonly string[];
  hash: Buffer;
  expiresAt: Date | null;
  approval: ApprovalMode;
  limits: Limits | undefined;
  /** the member whose device login made it; null when it belongs to the workspace */
  loginUserId: string | null;
};

// api_keys_key_hash_idx; workspaces_pkey
const keyByHash = sql(
  "api_key_by_hash",
  `SELECT k.workspace_id, k.id, k.prefix, k.key_hash, k.scopes::text[] AS scopes, k.allowed_cidrs, k.expires_at, k.approval, k.kinds, k.hidden_fields, k.login_user_id, w.plan
   FROM api_keys k JOIN workspaces w ON w.id = k.workspace_id
   WHERE k.key_hash = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`,
);

type KeyRow = {
  workspace_id: string;
  id: string;
  prefix: string;
  key_hash: Buffer;
  scopes: KeyScope[];
  allowed_cidrs: string[];
  expires_at: Date | null;
  approval: ApprovalMode;
  kinds: RecordKind[];
  hidden_fields: string[];
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
    limits: limitsIn({ kinds: row.kinds, hiddenFields: row.hidden_fields }),
    loginUserId: row.login_user_id,
  };
}

const notifyKeys = sql(
  "key_changes_tell",
  "SELECT pg_notify('rapport_keys', $workspace::text), $workspace::text AS workspace",
);

/** Tells every instance with the COMMIT, and returns the workspace. */
export const notifyKeyChange = async (db: Db): Promise<string | undefined> =>
  (await db.query<{ workspace: string }>(notifyKeys))[0]?.workspace;

export async function stampKeyUse(db: Db, keyId: string, at: Date, client: string | null): Promise<void> {
  await db.prisma.apiKey.updateMany({
    where: { id: keyId, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: at } }] },
    data: { lastUsedAt: at, ...(client === null ? {} : { lastUsedClient: client }) },
  });
}

// api_keys_pkey
const replacement = sql(
  "api_key_is_replacement",
  `WITH RECURSIVE later AS (
     SELECT replaced_by FROM api_keys WHERE workspace_id = $workspace AND id = $1
     UNION
     SELECT k.replaced_by FROM later JOIN api_keys k ON k.workspace_id = $workspace AND k.id = later.replaced_by)
   SELECT 1 FROM later WHERE replaced_by = $2`,
);

/** True when rotation made this key in the place of the earlier one, at once or in several steps. */
export const isReplacement = async (db: Db, earlierId: string, id: string): Promise<boolean> =>
  (await db.query(replacement, [earlierId, id])).length > 0;

// api_keys_pkey: a workspace has tens of keys
const before = sql(
  "api_keys_before",
  `WITH RECURSIVE line AS (
     SELECT $1::uuid AS id
     UNION SELECT k.id FROM api_keys k JOIN line ON k.replaced_by = line.id WHERE k.workspace_id = $workspace)
   SELECT id FROM line`,
);

/** The other connections of the same client by the same member, before or after one; none for a key. */
async function connectionsOf(db: Db, id: string, when: "lt" | "gt"): Promise<string[]> {
  const own = await db.prisma.oauthGrant.findFirst({
    where: { id },
    select: { userId: true, clientId: true, createdAt: true },
  });
  if (!own) return [];
  const { userId, clientId, createdAt } = own;
  const where = { userId, clientId, createdAt: { [when]: createdAt } };
  return (await db.prisma.oauthGrant.findMany({ where, select: { id: true } })).map((grant) => grant.id);
}

async function lineOf(db: Db, statement: Statement, when: "lt" | "gt", id: string): Promise<string[]> {
  const [keys, connections] = await together([db.query<{ id: string }>(statement, [id]), connectionsOf(db, id, when)]);
  return [...keys.map((key) => key.id), ...connections];
}

/**
 * A key, and the keys that it was rotated from. A connected client, and its earlier connections by the same member: the same
 * registration, as a name is only what a client claims.
 */
export const findLine = (db: Db, id: string): Promise<string[]> => lineOf(db, before, "lt", id);

// api_keys_pkey
const after = sql(
  "api_keys_after",
  `WITH RECURSIVE line AS (
     SELECT $1::uuid AS id
     UNION SELECT k.replaced_by FROM api_keys k JOIN line ON k.id = line.id
       WHERE k.workspace_id = $workspace AND k.replaced_by IS NOT NULL)
   SELECT id FROM line`,
);

/** A key, and the keys that took its place one after another; a connected client, and its later connections. */
export const findSuccessors = (db: Db, id: string): Promise<string[]> => lineOf(db, after, "gt", id);
