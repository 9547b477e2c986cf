import { timingSafeEqual } from "node:crypto";
import { Fault } from "#lib/core/errors.ts";
import type { WorkspaceId } from "#lib/core/ids.ts";
import { type Limits, limitsIn } from "#lib/core/limits.ts";
import { type ApprovalMode, type Plan, type Role, type Scope, withinRole } from "#lib/core/plans.ts";
import type { Db } from "#lib/db/handle.ts";
import { withProof, withWorkspace } from "#lib/db/transaction.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { grantCache } from "./grant-cache.ts";
import { tellAccessChange } from "./key-changes.ts";
import {
  type EndedGrant,
  findAccess,
  findCodeByHash,
  findTokenByHash,
  markGrantsOfUserRevoked,
  type TokenPlace,
} from "./queries/access-tokens.ts";
import { isWellFormedSecret, sha256 } from "./secret-tokens.ts";

/** What an access token allows: what a member approved for a client, as far as the member's role still goes. */
export type AccessGrant = {
  workspaceId: WorkspaceId;
  plan: Plan;
  scopes: readonly Scope[];
  grantId: string;
  clientId: string;
  clientName: string;
  userId: string;
  role: Role;
  expiresAt: Date;
  approval: ApprovalMode;
  limits: Limits | undefined;
};

const grants = grantCache<AccessGrant>("access-tokens");

/** The path of what access tokens are for, and nothing else takes them. */
export const RESOURCE_PATH = "/mcp";

/** True for the text of an access token, valid or not. */
export const isAccessToken = (text: string): boolean => text.startsWith("rpa_");

/** Authenticates an access token for `/mcp`. Throws 401 `unauthorized`. */
export async function authenticateAccessToken(token: string): Promise<AccessGrant> {
  // Only a token that was found is in the cache, so its checksum is not computed again.
  const grant = await grants.of(token, () => findGrant(token));
  if (!grant || grant.expiresAt.getTime() <= Date.now()) throw new Fault("unauthorized");
  return grant;
}

async function findGrant(token: string): Promise<AccessGrant | null> {
  if (!isWellFormedSecret(token, "access")) return null;
  const tokenRow = await findHeld(token, (db, hash) => findTokenByHash(db, hash, "access"));
  if (!tokenRow) return null;
  const { workspaceId } = tokenRow;
  const row = await withWorkspace(workspaceId, (db) => findAccess(db, tokenRow.id), { readOnly: true });
  if (!row || !isForHere(row.resource)) return null;
  const { resource: _, kinds, hiddenFields, ...access } = row;
  return {
    ...access,
    workspaceId,
    scopes: withinRole(row.scopes, row.role),
    limits: limitsIn({ kinds, hiddenFields }),
  };
}

/** A server that has moved does not take the tokens for its old address. Without APP_URL it has several addresses. */
function isForHere(resource: string): boolean {
  const { APP_URL } = getBoot().env;
  return APP_URL === undefined || resource === `${APP_URL}${RESOURCE_PATH}`;
}

/** Where an authorization code is; null when there is no such code. */
export const openCode = (code: string): Promise<TokenPlace | null> =>
  isWellFormedSecret(code, "code") ? findHeld(code, findCodeByHash) : Promise.resolve(null);

/** Where a token is that its holder presents; null when there is no such token. */
export const openToken = (token: string, kind: "access" | "refresh"): Promise<TokenPlace | null> =>
  isWellFormedSecret(token, kind)
    ? findHeld(token, (db, hash) => findTokenByHash(db, hash, kind))
    : Promise.resolve(null);

async function findHeld(
  secret: string,
  find: (db: Db, hash: Buffer) => Promise<TokenPlace | null>,
): Promise<TokenPlace | null> {
  const tokenHash = sha256(secret);
  const row = await withProof({ tokenHash }, (db) => find(db, tokenHash));
  return row && timingSafeEqual(row.hash, tokenHash) ? row : null;
}

/** Ends the clients that the user approved in the workspace. Their member row is locked or gone, or their sessions have ended. */
export async function endAccessOf(db: Db, userId: string): Promise<EndedGrant[]> {
  const ended = await markGrantsOfUserRevoked(db, userId);
  await tellAccessChange(db);
  return ended;
}
