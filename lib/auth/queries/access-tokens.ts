import type { WorkspaceId } from "#lib/core/ids.ts";
import type { RecordKind } from "#lib/core/limits.ts";
import type { ApprovalMode, Plan, Role, Scope } from "#lib/core/plans.ts";
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

/** Where the row of a code or token is. */
export type TokenPlace = { workspaceId: WorkspaceId; id: string; hash: Buffer };

// oauth_codes_code_hash_idx
const codeByHash = sql(
  "oauth_code_by_hash",
  `SELECT workspace_id AS "workspaceId", id, code_hash AS hash FROM oauth_codes WHERE code_hash = $1`,
);

// oauth_tokens_token_hash_idx
const tokenByHash = sql(
  "oauth_token_by_hash",
  `SELECT workspace_id AS "workspaceId", id, token_hash AS hash FROM oauth_tokens WHERE token_hash = $1 AND kind = $2::token_kind`,
);

/** The code with this hash; the transaction must carry the proof (`withProof({ tokenHash })`), as for tokens. */
export const findCodeByHash = async (db: Db, hash: Buffer): Promise<TokenPlace | null> =>
  (await db.query<TokenPlace>(codeByHash, [hash]))[0] ?? null;

export const findTokenByHash = async (db: Db, hash: Buffer, kind: "access" | "refresh"): Promise<TokenPlace | null> =>
  (await db.query<TokenPlace>(tokenByHash, [hash, kind]))[0] ?? null;

export type AccessRow = {
  grantId: string;
  clientId: string;
  clientName: string;
  userId: string;
  role: Role;
  plan: Plan;
  scopes: Scope[];
  resource: string;
  expiresAt: Date;
  approval: ApprovalMode;
  kinds: RecordKind[];
  hiddenFields: string[];
};

// oauth_tokens_pkey, oauth_grants_pkey, members_workspace_id_user_id_key, workspaces_pkey. Without a member there is no
// access: the person who approved it has left.
const access = sql(
  "oauth_access",
  `SELECT g.id AS "grantId", g.client_id AS "clientId", g.client_name AS "clientName", g.user_id AS "userId", m.role::text, w.plan::text,
     t.scopes::text[] AS scopes, g.resource, t.expires_at AS "expiresAt", g.approval::text, g.kinds, g.hidden_fields AS "hiddenFields"
   FROM oauth_tokens t
   JOIN oauth_grants g ON g.workspace_id = $workspace AND g.id = t.grant_id
   JOIN members m ON m.workspace_id = $workspace AND m.user_id = g.user_id
   JOIN workspaces w ON w.id = $workspace
   WHERE t.workspace_id = $workspace AND t.id = $1 AND t.kind = 'access' AND t.expires_at > now() AND g.revoked_at IS NULL`,
);

/** What an access token allows; null when it has ended. */
export const findAccess = async (db: Db, tokenId: string): Promise<AccessRow | null> =>
  (await db.query<AccessRow>(access, [tokenId]))[0] ?? null;

export type EndedGrant = { id: string; clientName: string };

/** Ends everything that the user approved in the workspace, and what they approved a moment ago; the grants it ended. */
export async function markGrantsOfUserRevoked(db: Db, userId: string): Promise<EndedGrant[]> {
  await db.prisma.oauthCode.deleteMany({ where: { userId, usedAt: null } });
  const ended = await db.prisma.oauthGrant.updateManyAndReturn({
    where: { userId, revokedAt: null },
    data: { revokedAt: new Date() },
    select: { id: true, clientName: true },
  });
  return ended;
}

export async function stampGrantUse(db: Db, grantId: string, at: Date): Promise<void> {
  await db.prisma.oauthGrant.updateMany({
    where: { id: grantId, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: at } }] },
    data: { lastUsedAt: at },
  });
}
