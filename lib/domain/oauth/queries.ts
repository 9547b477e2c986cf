import type { ApprovalMode, Role, Scope } from "#lib/core/plans.ts";
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { AuthMethod } from "./rules.ts";

export type ClientRow = {
  id: string;
  name: string;
  redirectUris: string[];
  grantTypes: string[];
  authMethod: AuthMethod;
  secretHash: Buffer | null;
  /** when its document was read; null: it registered itself */
  fetchedAt: Date | null;
};

// oauth_clients_pkey
const client = sql(
  "oauth_client",
  `SELECT id, name, redirect_uris AS "redirectUris", grant_types AS "grantTypes", auth_method AS "authMethod",
     secret_hash AS "secretHash", fetched_at AS "fetchedAt"
   FROM oauth_clients WHERE id = $1`,
);

export const findClient = async (db: Db, id: string): Promise<ClientRow | null> =>
  (await db.query<ClientRow>(client, [id]))[0] ?? null;

// oauth_clients_pkey
const saveClient = sql(
  "oauth_client_save",
  `INSERT INTO oauth_clients (id, name, redirect_uris, grant_types, auth_method, secret_hash, fetched_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT (id) DO UPDATE SET name = excluded.name, redirect_uris = excluded.redirect_uris, grant_types = excluded.grant_types,
     auth_method = excluded.auth_method, fetched_at = excluded.fetched_at
   WHERE oauth_clients.fetched_at < excluded.fetched_at`,
);

/** A client that registered, or what its document says now. */
export async function upsertClient(db: Db, row: ClientRow): Promise<void> {
  const { id, name, redirectUris, grantTypes, authMethod, secretHash, fetchedAt } = row;
  await db.query(saveClient, [id, name, redirectUris, grantTypes, authMethod, secretHash, fetchedAt]);
}

// oauth_clients_pkey
const stampClient = sql(
  "oauth_client_stamp_use",
  `UPDATE oauth_clients SET last_used_at = now() WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 day')`,
);

/** Writes at most once a day. */
export async function stampClientUse(db: Db, id: string): Promise<void> {
  await db.query(stampClient, [id]);
}

// oauth_clients_pkey: read whole, once a day
const removeClients = sql(
  "oauth_clients_remove_unused",
  `DELETE FROM oauth_clients WHERE coalesce(last_used_at + make_interval(days => $1), created_at + make_interval(days => $2)) < now()`,
);

/** Removes clients that were not used for `usedDays`, and those never used within `unusedDays` of their registration. */
export async function removeUnusedClients(db: Db, usedDays: number, unusedDays: number): Promise<void> {
  await db.query(removeClients, [usedDays, unusedDays]);
}

/** What a member approves. */
export type Approval = {
  id: string;
  userId: string;
  clientId: string;
  clientName: string;
  clientHost: string;
  scopes: Scope[];
  resource: string;
  /** `writes`: what the client would change waits until a person approves it */
  approval: ApprovalMode;
};

export type NewCode = Approval & { hash: Buffer; redirectUri: string; challenge: string; seconds: number };

const insertOne = sql(
  "oauth_code_insert",
  `INSERT INTO oauth_codes (workspace_id, id, code_hash, user_id, client_id, client_name, client_host, scopes, resource, redirect_uri,
     code_challenge, approval, expires_at)
   VALUES ($workspace, $1, $2, $3, $4, $5, $6, $7::scope[], $8, $9, $10, $11::approval_mode, now() + make_interval(secs => $12))`,
);

export async function insertCode(db: Db, code: NewCode): Promise<void> {
  const { id, hash, userId, clientId, clientName, clientHost } = code;
  const { scopes, resource, redirectUri, challenge, approval, seconds } = code;
  await db.query(insertOne, [
    ...[id, hash, userId, clientId, clientName, clientHost],
    ...[scopes, resource, redirectUri, challenge, approval, seconds],
  ]);
}

export type CodeRow = Approval & { redirectUri: string; challenge: string; used: boolean; expired: boolean };

// oauth_codes_pkey
const codeToUse = sql(
  "oauth_code_locked",
  `SELECT id, user_id AS "userId", client_id AS "clientId", client_name AS "clientName", client_host AS "clientHost",
     scopes::text[] AS scopes, resource, approval::text, redirect_uri AS "redirectUri", code_challenge AS challenge, used_at IS NOT NULL AS used,
     expires_at <= now() AS expired
   FROM oauth_codes WHERE workspace_id = $workspace AND id = $1 FOR UPDATE`,
);

/** The code, locked until this transaction ends. */
export const findCodeToUse = async (db: Db, id: string): Promise<CodeRow | null> =>
  (await db.query<CodeRow>(codeToUse, [id]))[0] ?? null;

// oauth_codes_pkey
const useCode = sql(
  "oauth_code_use",
  "UPDATE oauth_codes SET used_at = now() WHERE workspace_id = $workspace AND id = $1",
);

export async function markCodeUsed(db: Db, id: string): Promise<void> {
  await db.query(useCode, [id]);
}

const insertGrantRow = sql(
  "oauth_grant_insert",
  `INSERT INTO oauth_grants (workspace_id, id, user_id, client_id, client_name, client_host, scopes, resource, approval, expires_at)
   VALUES ($workspace, $1, $2, $3, $4, $5, $6::scope[], $7, $8::approval_mode, now() + make_interval(secs => $9))`,
);

export async function insertGrant(db: Db, approval: Approval, seconds: number): Promise<void> {
  const { id, userId, clientId, clientName, clientHost, scopes, resource, approval: mode } = approval;
  await db.query(insertGrantRow, [id, userId, clientId, clientName, clientHost, scopes, resource, mode, seconds]);
}

export type GrantRow = Pick<
  Approval,
  "id" | "userId" | "clientId" | "clientName" | "scopes" | "resource" | "approval"
> & {
  revoked: boolean;
};

// oauth_grants_pkey
const grantToChange = sql(
  "oauth_grant_locked",
  `SELECT id, user_id AS "userId", client_id AS "clientId", client_name AS "clientName", scopes::text[] AS scopes, resource,
     approval::text, revoked_at IS NOT NULL AS revoked
   FROM oauth_grants WHERE workspace_id = $workspace AND id = $1 FOR UPDATE`,
);

/** The grant, locked until this transaction ends. */
export const findGrantToChange = async (db: Db, id: string): Promise<GrantRow | null> =>
  (await db.query<GrantRow>(grantToChange, [id]))[0] ?? null;

// oauth_grants_pkey
const revokeGrant = sql(
  "oauth_grant_revoke",
  "UPDATE oauth_grants SET revoked_at = now() WHERE workspace_id = $workspace AND id = $1 AND revoked_at IS NULL",
);

export async function markGrantRevoked(db: Db, id: string): Promise<void> {
  await db.query(revokeGrant, [id]);
}

// oauth_grants_pkey
const setMode = sql(
  "oauth_grant_set_approval",
  "UPDATE oauth_grants SET approval = $2::approval_mode WHERE workspace_id = $workspace AND id = $1",
);

export async function setApproval(db: Db, id: string, approval: ApprovalMode): Promise<void> {
  await db.query(setMode, [id, approval]);
}

// oauth_grants_pkey
const prolong = sql(
  "oauth_grant_prolong",
  `UPDATE oauth_grants SET expires_at = greatest(expires_at, now() + make_interval(secs => $2)) WHERE workspace_id = $workspace AND id = $1`,
);

export async function prolongGrant(db: Db, id: string, seconds: number): Promise<void> {
  await db.query(prolong, [id, seconds]);
}

export type NewToken = {
  id: string;
  grantId: string;
  kind: "access" | "refresh";
  hash: Buffer;
  scopes: readonly Scope[];
  parentId: string | null;
  seconds: number;
};

const insertTokenRow = sql(
  "oauth_token_insert",
  `INSERT INTO oauth_tokens (workspace_id, id, grant_id, kind, token_hash, scopes, parent_id, expires_at)
   VALUES ($workspace, $1, $2, $3::token_kind, $4, $5::scope[], $6, now() + make_interval(secs => $7))`,
);

export async function insertToken(db: Db, token: NewToken): Promise<void> {
  const { id, grantId, kind, hash, scopes, parentId, seconds } = token;
  await db.query(insertTokenRow, [id, grantId, kind, hash, scopes, parentId, seconds]);
}

export type TokenRow = {
  id: string;
  grantId: string;
  expired: boolean;
  used: boolean;
  /** it was used for the first time in the last seconds of grace */
  fresh: boolean;
};

// oauth_tokens_pkey
const token = sql(
  "oauth_token",
  `SELECT id, grant_id AS "grantId", expires_at <= now() AS expired, used_at IS NOT NULL AS used,
     coalesce(used_at > now() - make_interval(secs => $2), false) AS fresh
   FROM oauth_tokens WHERE workspace_id = $workspace AND id = $1`,
);

export const findToken = async (db: Db, id: string, graceSeconds = 0): Promise<TokenRow | null> =>
  (await db.query<TokenRow>(token, [id, graceSeconds]))[0] ?? null;

// oauth_tokens_workspace_id_grant_id_idx
const children = sql(
  "oauth_token_children",
  `SELECT count(*)::int AS count, coalesce(bool_or(used_at IS NOT NULL), false) AS used FROM oauth_tokens
   WHERE workspace_id = $workspace AND grant_id = $1 AND parent_id = $2 AND kind = 'refresh'`,
);

/** How many refresh tokens one gave, and whether any of them was used. */
export const countChildren = async (db: Db, grantId: string, id: string): Promise<{ count: number; used: boolean }> =>
  (await db.query<{ count: number; used: boolean }>(children, [grantId, id]))[0] ?? { count: 0, used: false };

// oauth_tokens_pkey. The time of the first use stays.
const useToken = sql(
  "oauth_token_use",
  "UPDATE oauth_tokens SET used_at = now() WHERE workspace_id = $workspace AND id = $1 AND used_at IS NULL",
);

export async function markTokenUsed(db: Db, id: string): Promise<void> {
  await db.query(useToken, [id]);
}

// oauth_tokens_pkey
const remove = sql("oauth_token_remove", "DELETE FROM oauth_tokens WHERE workspace_id = $workspace AND id = $1");

export async function removeToken(db: Db, id: string): Promise<void> {
  await db.query(remove, [id]);
}

export type ConnectedRow = {
  id: string;
  userId: string;
  clientId: string;
  clientName: string;
  clientHost: string;
  scopes: Scope[];
  createdAt: Date;
  lastUsedAt: Date | null;
  role: Role;
  person: string;
  approval: ApprovalMode;
};

// oauth_grants_pkey: a workspace has tens of grants; members_workspace_id_user_id_key, users_pkey
const connected = sql(
  "oauth_grants_connected",
  `SELECT g.id, g.user_id AS "userId", g.client_id AS "clientId", g.client_name AS "clientName", g.client_host AS "clientHost",
     g.scopes::text[] AS scopes, g.created_at AS "createdAt", g.last_used_at AS "lastUsedAt", g.approval::text, m.role::text,
     coalesce(nullif(u.name, ''), u.email) AS person
   FROM oauth_grants g
   JOIN members m ON m.workspace_id = $workspace AND m.user_id = g.user_id
   JOIN users u ON u.id = g.user_id
   WHERE g.workspace_id = $workspace AND g.revoked_at IS NULL AND g.expires_at > now() AND ($1::uuid IS NULL OR g.user_id = $1)
   ORDER BY g.created_at DESC, g.id DESC LIMIT 500`,
);

/** What is connected, newest first: of one user, or of all for null. */
export const findConnected = (db: Db, userId: string | null): Promise<ConnectedRow[]> =>
  db.query<ConnectedRow>(connected, [userId]);

// oauth_codes_workspace_id_expires_at_idx
const expiredCodes = sql(
  "oauth_codes_remove_expired",
  `DELETE FROM oauth_codes WHERE workspace_id = $workspace AND id IN (
     SELECT id FROM oauth_codes WHERE workspace_id = $workspace AND expires_at < now() - make_interval(secs => $1) LIMIT $2) RETURNING id`,
);

// oauth_tokens_workspace_id_expires_at_idx
const expiredTokens = sql(
  "oauth_tokens_remove_expired",
  `DELETE FROM oauth_tokens WHERE workspace_id = $workspace AND id IN (
     SELECT id FROM oauth_tokens WHERE workspace_id = $workspace AND expires_at < now() LIMIT $1) RETURNING id`,
);

/** Deletes up to so many codes and as many tokens that have ended; how many of the more numerous. */
export async function removeExpired(db: Db, codesKeptSeconds: number, most: number): Promise<number> {
  const codes = await db.query(expiredCodes, [codesKeptSeconds, most]);
  const tokens = await db.query(expiredTokens, [most]);
  return Math.max(codes.length, tokens.length);
}
