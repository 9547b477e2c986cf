import { openCode, openToken, RESOURCE_PATH } from "#lib/auth/access-tokens.ts";
import { tellAccessChange } from "#lib/auth/key-changes.ts";
import { lockRole } from "#lib/auth/queries/members.ts";
import { mintSecret } from "#lib/auth/secret-tokens.ts";
import { Fault, isFault } from "#lib/core/errors.ts";
import { newId, type WorkspaceId } from "#lib/core/ids.ts";
import { limitsAudited, noLimits } from "#lib/core/limits.ts";
import { type Scope, withinRole } from "#lib/core/plans.ts";
import type { Db } from "#lib/db/handle.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { cancelApprovalsOfClients, inheritRulesOfClient } from "#lib/domain/access/approvals/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import {
  type ClientRow,
  countChildren,
  findCodeToUse,
  findGrantToChange,
  findLastLimits,
  findToken,
  type GrantRow,
  insertGrant,
  insertToken,
  markCodeUsed,
  markGrantRevoked,
  markTokenUsed,
  prolongGrant,
  removeToken,
  stampClientUse,
} from "../queries.ts";
import { GRACE_SECONDS, grantTypes, lifetimes, MOST_CHILDREN, namesResource, scopesIn, verifies } from "../rules.ts";
import { type Credentials, requireClient } from "./clients.ts";

/** The fields of a request for tokens (RFC 6749, 4.1.3 and 6). */
export type TokenRequest = {
  credentials: Credentials;
  fields: Readonly<Record<string, string | undefined>>;
  origin: string;
} & From;

/** Which request asks, and where it came from. */
type From = { requestId: string; ip: string };

/** Tokens, and where the client that they are for may be. */
export type IssuedTokens = { tokens: Tokens; redirectUris: readonly string[] };

/** RFC 6749, 5.1 */
export type Tokens = {
  access_token: string;
  token_type: "Bearer";
  expires_in: number;
  refresh_token?: string;
  scope: string;
};

/**
 * Gives tokens for a code or a refresh token. Throws 400 `invalid_request`, `invalid_grant`, `invalid_scope`, `invalid_target`,
 * `unauthorized_client`, `unsupported_grant_type` or 401 `invalid_client`.
 */
export async function issueTokens(asked: TokenRequest): Promise<IssuedTokens> {
  const { grant_type, resource } = asked.fields;
  const client = await requireClient(asked.credentials);
  if (!grant_type) throw missing("grant_type");
  const type = grantTypes.find((known) => known === grant_type);
  if (!type) throw new Fault("unsupported_grant_type");
  if (!client.grantTypes.includes(type)) throw new Fault("unauthorized_client");
  if (resource !== undefined && !namesResource(resource, `${asked.origin}${RESOURCE_PATH}`))
    throw new Fault("invalid_target");
  const tokens = await (type === "authorization_code" ? exchangeCode(client, asked) : refresh(client, asked));
  return { tokens, redirectUris: client.redirectUris };
}

const missing = (name: string) => new Fault("invalid_request", {}, `${name} is missing.`);

/** The tokens, or the fault to throw once what was found out about a stolen secret is committed. */
type TokensOrFault = Tokens | Fault;

async function settled(work: Promise<TokensOrFault>): Promise<Tokens> {
  const outcome = await work;
  if (isFault(outcome)) throw outcome;
  return outcome as Tokens;
}

async function exchangeCode(client: ClientRow, { fields, requestId, ip }: TokenRequest): Promise<Tokens> {
  const { code, code_verifier: verifier, redirect_uri } = fields;
  if (!code) throw missing("code");
  if (!verifier) throw missing("code_verifier");
  const codeRow = await openCode(code);
  if (!codeRow) throw new Fault("invalid_grant");
  const { workspaceId } = codeRow;
  return settled(
    withWorkspace(workspaceId, async (db): Promise<TokensOrFault> => {
      const approval = await findCodeToUse(db, codeRow.id);
      if (!approval || approval.clientId !== client.id) return new Fault("invalid_grant");
      if (approval.used) {
        await endGrant(db, workspaceId, approval, { requestId, ip, why: "its code was used again" });
        return new Fault("invalid_grant");
      }
      if (approval.expired || !verifies(verifier, approval.challenge)) return new Fault("invalid_grant");
      if (redirect_uri !== undefined && redirect_uri !== approval.redirectUri) return new Fault("invalid_grant");
      const role = await lockRole(db, approval.userId);
      if (!role) return new Fault("invalid_grant");
      const { id, userId, clientName: name, clientHost: host, scopes, approval: mode } = approval;
      await markCodeUsed(db, id);
      const now = new Date();
      const lasts = lifetimes(now, now);
      // Connecting again must not be a way out of limits.
      const limits = (await findLastLimits(db, approval)) ?? noLimits;
      const seconds = client.grantTypes.includes("refresh_token") ? lasts.refresh : lasts.access;
      await insertGrant(db, approval, limits, seconds);
      const rules = await inheritRulesOfClient({ db }, id);
      const actor = { type: "user", id: userId } as const;
      await recordAudit({ db, workspaceId, actor, client: null, requestId, ip }, "client.connected", id, {
        name,
        host,
        scopes,
        approval: mode,
        ...limitsAudited(limits),
        ...(rules.length > 0 ? { may_always_set: rules } : {}),
      });
      return giveTokens(db, client, { grantId: id, scopes: withinRole(scopes, role), parentId: null, lasts });
    }),
  );
}

async function refresh(client: ClientRow, { fields, requestId, ip }: TokenRequest): Promise<Tokens> {
  if (!fields.refresh_token) throw missing("refresh_token");
  const tokenRow = await openToken(fields.refresh_token, "refresh");
  if (!tokenRow) throw new Fault("invalid_grant");
  const { workspaceId } = tokenRow;
  return settled(
    withWorkspace(workspaceId, async (db): Promise<TokensOrFault> => {
      const grantId = (await findToken(db, tokenRow.id))?.grantId;
      const grant = grantId ? await findGrantToChange(db, grantId) : null;
      // Read again: another refresh may have used the token while this one waited for the lock.
      const token = await findToken(db, tokenRow.id, GRACE_SECONDS);
      if (!grant || !token || grant.clientId !== client.id) return new Fault("invalid_grant");
      const lasts = lifetimes(grant.createdAt, new Date());
      if (grant.revoked || token.expired || lasts.refresh === 0) return new Fault("invalid_grant");
      if (token.used && !(token.fresh && (await mayRepeat(db, grant, token.id)))) {
        await endGrant(db, workspaceId, grant, { requestId, ip, why: "a refresh token was used again" });
        return new Fault("invalid_grant");
      }
      const role = await lockRole(db, grant.userId);
      if (!role) return new Fault("invalid_grant");
      const asked = fields.scope ? scopesIn(fields.scope) : grant.scopes;
      if (!asked?.every((scope) => grant.scopes.includes(scope))) return new Fault("invalid_scope");
      await markTokenUsed(db, token.id);
      await prolongGrant(db, grant.id, lasts.refresh);
      return giveTokens(db, client, { grantId: grant.id, scopes: withinRole(asked, role), parentId: token.id, lasts });
    }),
  );
}

/** True for a used refresh token whose answer may have been lost: nothing that it gave was used. */
async function mayRepeat(db: Db, grant: GrantRow, tokenId: string): Promise<boolean> {
  const { count, used } = await countChildren(db, grant.id, tokenId);
  return !used && count < MOST_CHILDREN;
}

type Giving = {
  grantId: string;
  scopes: Scope[];
  parentId: string | null;
  /** Seconds. */
  lasts: { access: number; refresh: number };
};

async function giveTokens(db: Db, client: ClientRow, { grantId, scopes, parentId, lasts }: Giving): Promise<Tokens> {
  const give = async (kind: "access" | "refresh") => {
    const { secret, hash } = mintSecret(kind);
    await insertToken(db, { id: newId(), grantId, kind, hash, scopes, parentId, seconds: lasts[kind] });
    return secret;
  };
  const access_token = await give("access");
  const refreshes = client.grantTypes.includes("refresh_token");
  const refresh_token = refreshes ? await give("refresh") : null;
  await stampClientUse(db, client.id);
  return {
    access_token,
    token_type: "Bearer",
    expires_in: lasts.access,
    ...(refresh_token ? { refresh_token } : {}),
    scope: scopes.join(" "),
  };
}

/** Ends a grant, and cancels what its client has waiting for approval. */
export async function endAccess(ctx: Pick<Ctx, "db" | "workspaceId">, id: string): Promise<void> {
  await markGrantRevoked(ctx.db, id);
  await cancelApprovalsOfClients(ctx, [id]);
  await tellAccessChange(ctx.db);
}

type EndedGrant = Pick<GrantRow, "id" | "clientName">;

/** Ends a grant and notes why, as done by the client itself. */
async function endGrant(
  db: Db,
  workspaceId: WorkspaceId,
  { id, clientName: name }: EndedGrant,
  { why, ...from }: From & { why: string },
): Promise<void> {
  await endAccess({ db, workspaceId }, id);
  await recordAudit({ ...from, db, workspaceId, actor: { type: "mcp", id }, client: null }, "client.disconnected", id, {
    name,
    why,
  });
}

/**
 * Revokes a token (RFC 7009): a refresh token with everything that its grant gave, an access token alone. One that is unknown,
 * or another client's, changes nothing.
 */
export async function revokeToken(credentials: Credentials, token: string | undefined, from: From): Promise<void> {
  const client = await requireClient(credentials);
  if (!token) throw missing("token");
  const kind = token.startsWith("rpr_") ? "refresh" : "access";
  const tokenRow = await openToken(token, kind);
  if (!tokenRow) return;
  const { workspaceId } = tokenRow;
  await withWorkspace(workspaceId, async (db) => {
    const grantId = (await findToken(db, tokenRow.id))?.grantId;
    const grant = grantId ? await findGrantToChange(db, grantId) : null;
    if (!grant || grant.revoked || grant.clientId !== client.id) return;
    if (kind === "refresh") return endGrant(db, workspaceId, grant, { ...from, why: "the client signed out" });
    await removeToken(db, tokenRow.id);
    await tellAccessChange(db);
  });
}
