import { newId } from "#lib/core/ids.ts";
import type { Plan, Role } from "#lib/core/plans.ts";
import { together } from "#lib/core/together.ts";
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

export type LiveSession = {
  id: string;
  userId: string;
  email: string;
  name: string | null;
  expiresAt: Date;
  memberships: { workspaceId: string; name: string; role: Role; plan: Plan }[];
};

// sessions_pkey, users_pkey
const live = sql(
  "session_live",
  `SELECT s.id, s.user_id AS "userId", u.email, u.name, s.expires_at AS "expiresAt" FROM sessions s JOIN users u ON u.id = s.user_id
   WHERE s.id = $1 AND s.user_id = $2 AND s.revoked_at IS NULL AND s.expires_at > now()`,
);

// members_user_id_idx, workspaces_pkey. A separate statement: users are stored in one place, and workspaces may be
// spread over several.
const memberships = sql(
  "session_memberships",
  `SELECT w.id AS "workspaceId", w.name, m.role, w.plan FROM members m JOIN workspaces w ON w.id = m.workspace_id
   WHERE m.user_id = $1 ORDER BY m.created_at, m.id`,
);

/** The session while it lasts; its memberships need the proof of its user (`withProof({ userId })`). */
export async function findLiveSession(db: Db, id: string, userId: string): Promise<LiveSession | null> {
  const [[session], joined] = await together([
    db.query<Omit<LiveSession, "memberships">>(live, [id, userId]),
    db.query<LiveSession["memberships"][number]>(memberships, [userId]),
  ]);
  return session ? { ...session, memberships: joined } : null;
}

export type NewSession = { userId: string; ip: string | null; userAgent: string | null; expiresAt: Date };

export async function insertSession(db: Db, session: NewSession): Promise<string> {
  const id = newId();
  await db.prisma.session.create({ data: { id, ...session }, select: { id: true } });
  return id;
}

// sessions_pkey
const extend = sql(
  "session_extend",
  "UPDATE sessions SET expires_at = $2 WHERE id = $1 AND revoked_at IS NULL AND expires_at < $2",
);

export async function extendSession(db: Db, id: string, expiresAt: Date): Promise<void> {
  await db.query(extend, [id, expiresAt]);
}

export type SessionRow = { id: string; ip: string | null; userAgent: string | null; createdAt: Date; expiresAt: Date };

/** Where the user is signed in, newest first. */
export const findSessions = (db: Db, userId: string): Promise<SessionRow[]> =>
  db.prisma.session.findMany({
    where: { userId, revokedAt: null, expiresAt: { gt: new Date() } },
    select: { id: true, ip: true, userAgent: true, createdAt: true, expiresAt: true },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });

/** False when the user has no such session. */
export const markSessionRevoked = async (db: Db, userId: string, id: string): Promise<boolean> =>
  (await db.prisma.session.updateMany({ where: { id, userId, revokedAt: null }, data: { revokedAt: new Date() } }))
    .count > 0;

/** Ends the user's sessions, except the one of this id. */
export async function markSessionsRevoked(db: Db, userId: string, except: string | null): Promise<number> {
  const { count } = await db.prisma.session.updateMany({
    where: { userId, revokedAt: null, ...(except ? { id: { not: except } } : {}) },
    data: { revokedAt: new Date() },
  });
  return count;
}

// sessions_user_id_idx
const hasBeenAt = sql(
  "session_ip_known",
  "SELECT EXISTS (SELECT FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1 AND s.ip = $2) AS known",
);

/** True when the account with this address has signed in from this network address before. */
export const isKnownAddress = async (db: Db, email: string, ip: string): Promise<boolean> =>
  (await db.query<{ known: boolean }>(hasBeenAt, [email, ip]))[0]?.known === true;
