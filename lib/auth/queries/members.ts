import type { Role } from "#lib/core/plans.ts";
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

/** A member as others name them: in what is assigned to them, and what they own. */
export type NamedMember = { id: string; userId: string; email: string; name: string | null };

const NAMED = `SELECT m.id, m.user_id AS "userId", u.email, u.name FROM members m JOIN users u ON u.id = m.user_id WHERE m.workspace_id = $workspace`;

// members_pkey: a workspace has tens of members; users_pkey
const all = sql("members_named", `${NAMED} ORDER BY m.created_at, m.id`);

/** All members, first joined first. */
export const findNamedMembers = (db: Db): Promise<NamedMember[]> => db.query<NamedMember>(all);

// members_workspace_id_user_id_key
const kept = sql(
  "member_kept",
  "SELECT id FROM members WHERE workspace_id = $workspace AND user_id = $1 FOR KEY SHARE",
);

/** False when the user is no member any more; a member then stays one until this transaction ends. */
export const keepMember = async (db: Db, userId: string): Promise<boolean> =>
  (await db.query<{ id: string }>(kept, [userId])).length > 0;

// members_workspace_id_user_id_key
const roleLocked = sql(
  "member_role_locked",
  "SELECT role::text FROM members WHERE workspace_id = $workspace AND user_id = $1 FOR SHARE",
);

/** The user's role in the workspace; null when they are no member. */
export const findRole = async (db: Db, userId: string): Promise<Role | null> =>
  (await db.prisma.member.findFirst({ where: { userId }, select: { role: true } }))?.role ?? null;

/** The user's role, which stays until this transaction ends; null when they are no member. */
export const lockRole = async (db: Db, userId: string): Promise<Role | null> =>
  (await db.query<{ role: Role }>(roleLocked, [userId]))[0]?.role ?? null;

/** The user who made a key, or who approved a connected client; null when that was not a user. */
export async function findUserBehind(db: Db, callerId: string): Promise<string | null> {
  const where = { id: callerId };
  const key = await db.prisma.apiKey.findFirst({ where, select: { createdBy: true } });
  if (key) return key.createdBy.startsWith("user:") ? key.createdBy.slice("user:".length) : null;
  return (await db.prisma.oauthGrant.findFirst({ where, select: { userId: true } }))?.userId ?? null;
}
