import { newId } from "#lib/core/ids.ts";
import type { Role } from "#lib/core/plans.ts";
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

export type MemberRow = { id: string; userId: string; name: string | null; email: string; role: Role; createdAt: Date };

const MEMBER = `SELECT m.id, m.user_id AS "userId", u.name, u.email, m.role::text, m.created_at AS "createdAt"
  FROM members m JOIN users u ON u.id = m.user_id WHERE m.workspace_id = $workspace`;

// members_pkey: a workspace has tens of members; users_pkey
const all = sql("members_all", `${MEMBER} ORDER BY m.created_at, m.id`);

export const findMembers = (db: Db): Promise<MemberRow[]> => db.query<MemberRow>(all);

// members_pkey; users_pkey
const one = sql("member_one_locked", `${MEMBER} AND m.id = $1 FOR UPDATE OF m`);

/** The member, locked until this transaction ends. */
export const findMemberToChange = async (db: Db, id: string): Promise<MemberRow | null> =>
  (await db.query<MemberRow>(one, [id]))[0] ?? null;

// members_pkey
const owners = sql(
  "member_owners_locked",
  "SELECT id FROM members WHERE workspace_id = $workspace AND role = 'owner' ORDER BY id FOR UPDATE",
);

/** The owners, locked so that they stay owners until this transaction ends. */
export const lockOwners = async (db: Db): Promise<string[]> =>
  (await db.query<{ id: string }>(owners)).map(({ id }) => id);

// members_workspace_id_user_id_key
const insert = sql(
  "member_insert",
  `INSERT INTO members (workspace_id, id, user_id, role) VALUES ($workspace, $1, $2, $3::role)
   ON CONFLICT (workspace_id, user_id) DO NOTHING RETURNING id`,
);

/** Null when the user is a member already. */
export const insertMember = async (db: Db, userId: string, role: Role): Promise<string | null> =>
  (await db.query<{ id: string }>(insert, [newId(), userId, role]))[0]?.id ?? null;

export async function updateRole(db: Db, workspaceId: string, id: string, role: Role): Promise<void> {
  await db.prisma.member.update({
    where: { workspaceId_id: { workspaceId, id } },
    data: { role },
    select: { id: true },
  });
}

export async function deleteMember(db: Db, workspaceId: string, id: string): Promise<void> {
  await db.prisma.member.delete({ where: { workspaceId_id: { workspaceId, id } }, select: { id: true } });
}

export const isMemberByEmail = async (db: Db, workspaceId: string, email: string): Promise<boolean> =>
  (await db.prisma.member.findFirst({ where: { workspaceId, user: { email } }, select: { id: true } })) !== null;

export type InvitationRow = {
  id: string;
  email: string | null;
  role: Role;
  invitedBy: string | null;
  createdAt: Date;
  expiresAt: Date;
};

const INVITATION = `SELECT i.id, i.email, i.role::text, coalesce(nullif(u.name, ''), u.email) AS "invitedBy", i.created_at AS "createdAt",
    i.expires_at AS "expiresAt"
  FROM invitations i LEFT JOIN users u ON u.id = i.invited_by
  WHERE i.workspace_id = $workspace AND i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > now()`;

// invitations_pkey; users_pkey
const open = sql("invitations_open", `${INVITATION} ORDER BY i.created_at DESC, i.id DESC`);
const openOne = sql("invitation_open_one", `${INVITATION} AND i.id = $1`);

/** Invitations that still work. */
export const findOpenInvitations = (db: Db): Promise<InvitationRow[]> => db.query<InvitationRow>(open);

export const findOpenInvitation = async (db: Db, id: string): Promise<InvitationRow | null> =>
  (await db.query<InvitationRow>(openOne, [id]))[0] ?? null;

export type NewInvitation = Pick<InvitationRow, "id" | "email" | "role" | "expiresAt"> & {
  invitedBy: string;
  tokenHash: Buffer;
};

export async function insertInvitation(db: Db, workspaceId: string, invitation: NewInvitation): Promise<void> {
  const tokenHash = new Uint8Array(invitation.tokenHash);
  await db.prisma.invitation.create({ data: { workspaceId, ...invitation, tokenHash }, select: { id: true } });
}

// invitations_pkey. One statement: of several people with the link, only one gets it.
const accept = sql(
  "invitation_accept",
  `UPDATE invitations SET accepted_at = now()
   WHERE workspace_id = $workspace AND id = $1 AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > now()
   RETURNING role`,
);

/** The role the invitation gives; null when it was used, withdrawn or has expired. */
export const markAccepted = async (db: Db, id: string): Promise<Role | null> =>
  (await db.query<{ role: Role }>(accept, [id]))[0]?.role ?? null;

/** False when the invitation does not work any more. */
export const markRevoked = async (db: Db, workspaceId: string, id: string): Promise<boolean> =>
  (
    await db.prisma.invitation.updateMany({
      where: { workspaceId, id, acceptedAt: null, revokedAt: null },
      data: { revokedAt: new Date() },
    })
  ).count > 0;

// workspaces_pkey
const nameOf = sql("workspace_name", "SELECT name FROM workspaces WHERE id = $workspace");

export const getWorkspaceName = async (db: Db): Promise<string> =>
  (await db.query<{ name: string }>(nameOf))[0]?.name ?? "";
