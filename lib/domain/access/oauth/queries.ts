import type { Limits, RecordKind } from "#lib/core/limits.ts";
import type { Role, Scope } from "#lib/core/plans.ts";
import type { Db } from "#lib/db/handle.ts";
import { lockRow } from "#lib/db/row-locks.ts";
import { sql } from "#lib/db/statement.ts";
import { DAY_MS } from "#lib/text/time.ts";
import type { OauthClient, OauthGrant } from "#prisma/generated/client.ts";
import type { AuthMethod } from "./rules.ts";

/** `fetchedAt`: when its document was read; null: it registered itself */
export type ClientRow = Omit<OauthClient, "createdAt" | "lastUsedAt" | "authMethod"> & { authMethod: AuthMethod };

const after = (seconds: number): Date => new Date(Date.now() + seconds * 1000);

export const findClient = (db: Db, id: string): Promise<ClientRow | null> =>
  db.prisma.oauthClient.findFirst({
    where: { id },
    omit: { createdAt: true, lastUsedAt: true },
  }) as Promise<ClientRow | null>;

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

/** Writes at most once a day. */
export async function stampClientUse(db: Db, id: string): Promise<void> {
  const now = new Date();
  await db.prisma.oauthClient.updateMany({
    where: { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: new Date(now.getTime() - DAY_MS) } }] },
    data: { lastUsedAt: now },
  });
}

/** Removes clients that were not used for `usedDays`, and those never used within `unusedDays` of their registration. */
export async function removeUnusedClients(db: Db, usedDays: number, unusedDays: number): Promise<void> {
  const before = (days: number) => ({ lt: new Date(Date.now() - days * DAY_MS) });
  await db.prisma.oauthClient.deleteMany({
    where: { OR: [{ lastUsedAt: before(usedDays) }, { lastUsedAt: null, createdAt: before(unusedDays) }] },
  });
}

/** What a member approves. `approval`: `writes`: what the client would change waits until a person approves it. */
export type Approval = Pick<
  OauthGrant,
  "id" | "userId" | "clientId" | "clientName" | "clientHost" | "scopes" | "resource" | "approval"
>;

export type NewCode = Approval & { hash: Buffer; redirectUri: string; challenge: string; seconds: number };

export async function insertCode(db: Db, { hash, challenge, seconds, ...code }: NewCode): Promise<void> {
  const codeHash = new Uint8Array(hash);
  await db.prisma.oauthCode.create({
    data: { ...code, codeHash, codeChallenge: challenge, expiresAt: after(seconds) },
    select: { id: true },
  });
}

export type CodeRow = Approval & { redirectUri: string; challenge: string; used: boolean; expired: boolean };

/** The code, locked until this transaction ends. */
export async function findCodeToUse(db: Db, id: string): Promise<CodeRow | null> {
  await lockRow(db, "oauth_codes", id);
  const row = await db.prisma.oauthCode.findFirst({ where: { id }, omit: { workspaceId: true, codeHash: true } });
  if (!row) return null;
  const { codeChallenge: challenge, usedAt, expiresAt, ...code } = row;
  return { ...code, challenge, used: usedAt !== null, expired: expiresAt <= new Date() };
}

export async function markCodeUsed(db: Db, id: string): Promise<void> {
  await db.prisma.oauthCode.updateMany({ where: { id }, data: { usedAt: new Date() } });
}

export async function insertGrant(db: Db, approval: Approval, limits: Limits, seconds: number): Promise<void> {
  const { id, userId, clientId, clientName, clientHost, scopes, resource, approval: mode } = approval;
  const granted = { id, userId, clientId, clientName, clientHost, scopes, resource, approval: mode };
  const limited = { kinds: [...limits.kinds], hiddenFields: [...limits.hiddenFields] };
  await db.prisma.oauthGrant.create({
    data: { ...granted, ...limited, expiresAt: after(seconds) },
    select: { id: true },
  });
}

export type GrantRow = Omit<Approval, "clientHost"> & {
  kinds: RecordKind[];
  hiddenFields: string[];
  createdAt: Date;
  revoked: boolean;
};

/** The grant, locked until this transaction ends. */
export async function findGrantToChange(db: Db, id: string): Promise<GrantRow | null> {
  await lockRow(db, "oauth_grants", id);
  const row = await db.prisma.oauthGrant.findFirst({
    where: { id },
    select: {
      ...{ id: true, userId: true, clientId: true, clientName: true },
      ...{ scopes: true, resource: true, approval: true, createdAt: true, revokedAt: true },
      ...{ kinds: true, hiddenFields: true },
    },
  });
  if (!row) return null;
  const { revokedAt, kinds, ...grant } = row;
  return { ...grant, kinds: kinds as RecordKind[], revoked: revokedAt !== null };
}

/** The limits of the last connection of the same client by the same member, also of one that was ended; null: there was none. */
export async function findLastLimits(
  db: Db,
  { userId, clientId }: Pick<Approval, "userId" | "clientId">,
): Promise<Limits | null> {
  const last = await db.prisma.oauthGrant.findFirst({
    where: { userId, clientId },
    select: { id: true },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
  // Locked: someone may be changing them.
  return last && findGrantToChange(db, last.id);
}

export async function markGrantRevoked(db: Db, id: string): Promise<void> {
  await db.prisma.oauthGrant.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: new Date() } });
}

export async function updateGrant(
  db: Db,
  id: string,
  grant: Pick<GrantRow, "approval" | "kinds" | "hiddenFields">,
): Promise<void> {
  await db.prisma.oauthGrant.updateMany({ where: { id }, data: grant });
}

export async function prolongGrant(db: Db, id: string, seconds: number): Promise<void> {
  const expiresAt = after(seconds);
  await db.prisma.oauthGrant.updateMany({ where: { id, expiresAt: { lt: expiresAt } }, data: { expiresAt } });
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

export async function insertToken(db: Db, { hash, scopes, seconds, ...token }: NewToken): Promise<void> {
  await db.prisma.oauthToken.create({
    data: { ...token, tokenHash: new Uint8Array(hash), scopes: [...scopes], expiresAt: after(seconds) },
    select: { id: true },
  });
}

export type TokenRow = {
  id: string;
  grantId: string;
  expired: boolean;
  used: boolean;
  /** it was used for the first time in the last seconds of grace */
  fresh: boolean;
};

export async function findToken(db: Db, id: string, graceSeconds = 0): Promise<TokenRow | null> {
  const row = await db.prisma.oauthToken.findFirst({
    where: { id },
    select: { id: true, grantId: true, expiresAt: true, usedAt: true },
  });
  if (!row) return null;
  const { expiresAt, usedAt, ...token } = row;
  const fresh = usedAt !== null && usedAt > after(-graceSeconds);
  return { ...token, expired: expiresAt <= new Date(), used: usedAt !== null, fresh };
}

/** How many refresh tokens one gave, and whether any of them was used. */
export async function countChildren(db: Db, grantId: string, id: string): Promise<{ count: number; used: boolean }> {
  const children = await db.prisma.oauthToken.findMany({
    where: { grantId, parentId: id, kind: "refresh" },
    select: { usedAt: true },
  });
  return { count: children.length, used: children.some(({ usedAt }) => usedAt !== null) };
}

/** The time of the first use stays. */
export async function markTokenUsed(db: Db, id: string): Promise<void> {
  await db.prisma.oauthToken.updateMany({ where: { id, usedAt: null }, data: { usedAt: new Date() } });
}

export async function removeToken(db: Db, id: string): Promise<void> {
  await db.prisma.oauthToken.deleteMany({ where: { id } });
}

export type ConnectedRow = Omit<Approval, "resource"> &
  Pick<OauthGrant, "createdAt" | "lastUsedAt" | "kinds" | "hiddenFields"> & { role: Role; person: string };

/** What is connected, newest first: of one user, or of all for null. */
export async function findConnected(db: Db, userId: string | null): Promise<ConnectedRow[]> {
  const members = await db.prisma.member.findMany({
    where: userId === null ? {} : { userId },
    select: { userId: true, role: true, user: { select: { name: true, email: true } } },
  });
  const byUser = new Map(members.map((member) => [member.userId, member]));
  const grants = await db.prisma.oauthGrant.findMany({
    where: { userId: { in: [...byUser.keys()] }, revokedAt: null, expiresAt: { gt: new Date() } },
    omit: { workspaceId: true, resource: true, expiresAt: true, revokedAt: true },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: 500,
  });
  return grants.flatMap((grant) => {
    const member = byUser.get(grant.userId);
    return member ? [{ ...grant, role: member.role, person: member.user.name || member.user.email }] : [];
  });
}

/** Deletes up to so many codes and as many tokens that have ended; how many of the more numerous. */
export async function removeExpired(db: Db, codesKeptSeconds: number, most: number): Promise<number> {
  const some = { select: { id: true }, take: most } as const;
  const these = (rows: { id: string }[]) => ({ where: { id: { in: rows.map(({ id }) => id) } } });
  const { oauthCode, oauthToken } = db.prisma;
  const codes = await oauthCode.findMany({ where: { expiresAt: { lt: after(-codesKeptSeconds) } }, ...some });
  await oauthCode.deleteMany(these(codes));
  const tokens = await oauthToken.findMany({ where: { expiresAt: { lt: new Date() } }, ...some });
  await oauthToken.deleteMany(these(tokens));
  return Math.max(codes.length, tokens.length);
}
