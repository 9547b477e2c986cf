import { newId } from "#lib/core/ids.ts";
import type { Plan, Role } from "#lib/core/plans.ts";
import type { SignInDemand } from "#lib/core/sign-in-demands.ts";
import { together } from "#lib/core/together.ts";
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { Session } from "#prisma/generated/client.ts";

export type LiveSession = {
  id: string;
  userId: string;
  email: string;
  name: string | null;
  expiresAt: Date;
  provenAt: Date;
  secondFactor: boolean;
  byOidc: boolean;
  oidcIssuer: string | null;
  asksFactor: boolean;
  memberships: {
    workspaceId: string;
    name: string;
    role: Role;
    plan: Plan;
    demand: SignInDemand;
    oidcIssuer: string | null;
  }[];
};

// sessions_pkey, users_pkey. The token before the last renewal proves nothing.
const live = sql(
  "session_live",
  `SELECT s.id, s.user_id AS "userId", u.email, u.name, s.expires_at AS "expiresAt",
     CASE WHEN s.renewals = $4::int THEN s.proven_at ELSE 'epoch' END AS "provenAt",
     s.second_factor AS "secondFactor", s.by_oidc AS "byOidc", s.oidc_issuer AS "oidcIssuer", s.asks_factor AS "asksFactor" FROM sessions s JOIN users u ON u.id = s.user_id
   WHERE s.id = $1 AND s.user_id = $2 AND s.revoked_at IS NULL AND s.expires_at > now() AND s.created_at > $3
     AND (s.renewals = $4::int OR (s.renewals = $4::int + 1 AND s.former_until > now() - make_interval(secs => $5)))
     AND u.disabled_at IS NULL`,
);

// members_user_id_idx, workspaces_pkey. A separate statement: users are stored in one place, and workspaces may be
// spread over several.
const memberships = sql(
  "session_memberships",
  `SELECT w.id AS "workspaceId", w.name, m.role, w.plan, w.sign_in_demand AS demand, w.oidc_issuer AS "oidcIssuer"
   FROM members m JOIN workspaces w ON w.id = m.workspace_id
   WHERE m.user_id = $1 ORDER BY m.created_at, m.id`,
);

/** Needs the proof of the user (`withProof({ userId })`). */
export const findMemberships = (db: Db, userId: string): Promise<LiveSession["memberships"]> =>
  db.query<LiveSession["memberships"][number]>(memberships, [userId]);

export type AskedSession = {
  id: string;
  userId: string;
  /** The renewal that its token is of. */
  renewals: number;
  /** It began after this. */
  since: Date;
  /** How many seconds ago the request that brings the token arrived. */
  age: number;
};

/** The session while it lasts and its token does; its memberships need the proof of its user (`withProof({ userId })`). */
export async function findLiveSession(
  db: Db,
  { id, userId, renewals, since, age }: AskedSession,
): Promise<LiveSession | null> {
  const [[session], joined] = await together([
    db.query<Omit<LiveSession, "memberships">>(live, [id, userId, since, renewals, age]),
    findMemberships(db, userId),
  ]);
  return session ? { ...session, memberships: joined } : null;
}

export type NewSession = {
  userId: string;
  ip: string | null;
  userAgent: string | null;
  expiresAt: Date;
  provenAt: Date;
  secondFactor: boolean;
  byOidc: boolean;
  oidcIssuer: string | null;
  /** the provider's own id of its session */
  oidcSid: string | null;
  asksFactor: boolean;
};

export async function insertSession(db: Db, session: NewSession): Promise<string> {
  const id = newId();
  await db.prisma.session.create({ data: { id, ...session }, select: { id: true } });
  return id;
}

export async function moveSessionEnd(db: Db, id: string, expiresAt: Date): Promise<void> {
  await db.prisma.session.updateMany({ where: { id, revokedAt: null }, data: { expiresAt } });
}

/** The person of this session proved again who they are; with a second factor or without. */
export async function markProven(db: Db, userId: string, id: string, withFactor: boolean): Promise<void> {
  await db.prisma.session.updateMany({
    where: { id, userId, revokedAt: null },
    data: { provenAt: new Date(), ...(withFactor ? { secondFactor: true } : {}) },
  });
}

/**
 * The person of this session proved again who they are, with a second factor or without: its token is that of the next renewal now. The one before
 * counts until `formerUntil`. A session that another page has renewed meanwhile stays as it is, so that all pages get the same token.
 */
export async function markRenewed(
  db: Db,
  { id, userId, renewals }: { id: string; userId: string; renewals: number },
  { withFactor, formerUntil }: { withFactor: boolean; formerUntil: Date | null },
): Promise<void> {
  await db.prisma.session.updateMany({
    where: { id, userId, revokedAt: null, renewals },
    data: {
      provenAt: new Date(),
      renewals: renewals + 1,
      formerUntil,
      ...(withFactor ? { secondFactor: true } : {}),
    },
  });
}

/** The person's last second factor is gone, so no session of theirs has one. */
export async function markWithoutFactor(db: Db, userId: string): Promise<void> {
  await db.prisma.session.updateMany({
    where: { userId, revokedAt: null },
    data: { secondFactor: false, asksFactor: false },
  });
}

export type SessionRow = Pick<Session, "id" | "ip" | "userAgent" | "createdAt" | "expiresAt">;

/** Where the user is signed in by sessions that began after `since`, newest first. */
export const findSessions = (db: Db, userId: string, since: Date): Promise<SessionRow[]> =>
  db.prisma.session.findMany({
    where: { userId, revokedAt: null, expiresAt: { gt: new Date() }, createdAt: { gt: since } },
    select: { id: true, ip: true, userAgent: true, createdAt: true, expiresAt: true },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });

/** What an OIDC provider says has ended: a session there, or all of a person. */
export type EndedAtProvider = { issuer: string; userId: string | null; sid: string | null };

/**
 * Ends the sessions that began at this provider: those of one session there, those of one person, or both. A session of that person of which the
 * provider said no `sid` ends too. The users, one for each session.
 */
export async function markSessionsOfProviderRevoked(
  db: Db,
  { issuer, userId, sid }: EndedAtProvider,
): Promise<string[]> {
  const ofSid = sid === null ? {} : userId === null ? { oidcSid: sid } : { OR: [{ oidcSid: sid }, { oidcSid: null }] };
  const ended = await db.prisma.session.updateManyAndReturn({
    where: { oidcIssuer: issuer, revokedAt: null, ...ofSid, ...(userId === null ? {} : { userId }) },
    data: { revokedAt: new Date() },
    select: { userId: true },
  });
  const users = ended.map((session) => session.userId);
  for (const id of new Set(users)) await db.query(notifyKeys, [id]);
  return users;
}

const notifyKeys = sql("session_end_tell", "SELECT pg_notify('rapport_keys', $1)");

/** False when the user has no such session. */
export const markSessionRevoked = (db: Db, userId: string, id: string): Promise<boolean> =>
  markRevoked(db, userId, { id }).then((count) => count > 0);

/** Ends the user's sessions, except the one of this id. */
export const markSessionsRevoked = (db: Db, userId: string, except: string | null): Promise<number> =>
  markRevoked(db, userId, except ? { id: { not: except } } : {});

/** Tells every instance, with the COMMIT, so that what is open by these sessions ends (`lib/auth/key-changes.ts`). */
async function markRevoked(db: Db, userId: string, which: { id?: string | { not: string } }): Promise<number> {
  const { count } = await db.prisma.session.updateMany({
    where: { userId, revokedAt: null, ...which },
    data: { revokedAt: new Date() },
  });
  if (count > 0) await db.query(notifyKeys, [userId]);
  return count;
}

/** True when the user with this address has signed in from this network address before. */
export const isKnownAddress = async (db: Db, email: string, ip: string): Promise<boolean> =>
  (await db.prisma.session.findFirst({ where: { ip, user: { email } }, select: { id: true } })) !== null;
