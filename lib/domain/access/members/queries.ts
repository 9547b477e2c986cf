import { findUserNames } from "#lib/auth/queries/names.ts";
import { newId } from "#lib/core/ids.ts";
import type { Role } from "#lib/core/plans.ts";
import type { Db } from "#lib/db/handle.ts";
import { lockRow } from "#lib/db/row-locks.ts";
import { sql } from "#lib/db/statement.ts";
import type { Invitation, Member, User } from "#prisma/generated/client.ts";

export type MemberRow = Pick<Member, "id" | "userId" | "role" | "groupRole" | "createdAt"> &
  Pick<User, "name" | "email" | "disabledAt"> & {
    /** their address was never proven, and they have chosen a password: it may be someone else's */
    isUnproven: boolean;
  };

const memberColumns = {
  id: true,
  userId: true,
  role: true,
  groupRole: true,
  createdAt: true,
  user: { select: { name: true, email: true, disabledAt: true, emailVerifiedAt: true, passwordHash: true } },
} as const;

type MemberWithUser = Omit<MemberRow, "name" | "email" | "disabledAt" | "isUnproven"> & {
  user: Pick<User, "name" | "email" | "disabledAt" | "emailVerifiedAt" | "passwordHash">;
};
const rowOf = ({ user: { emailVerifiedAt, passwordHash, ...user }, ...member }: MemberWithUser): MemberRow => ({
  ...member,
  ...user,
  isUnproven: emailVerifiedAt === null && passwordHash !== null,
});

export const findMembers = async (
  db: Db,
  where: { id?: string; userId?: { in: string[] } } = {},
): Promise<MemberRow[]> =>
  (
    await db.prisma.member.findMany({ where, select: memberColumns, orderBy: [{ createdAt: "asc" }, { id: "asc" }] })
  ).map(rowOf);

/** People of this server, members or not. */
export const findUsers = async (
  db: Db,
  ids: readonly string[],
): Promise<Pick<MemberRow, "userId" | "email" | "name" | "disabledAt">[]> => {
  if (ids.length === 0) return [];
  const select = { id: true, email: true, name: true, disabledAt: true } as const;
  const users = await db.prisma.user.findMany({ where: { id: { in: [...ids] } }, select });
  return users.map(({ id: userId, ...user }) => ({ userId, ...user }));
};

/** The member, locked until this transaction ends. */
export async function findMemberToChange(db: Db, id: string): Promise<MemberRow | null> {
  await lockRow(db, "members", id);
  const row = await db.prisma.member.findFirst({ where: { id }, select: memberColumns });
  return row && rowOf(row);
}

// members_pkey
const owners = sql(
  "member_owners_locked",
  "SELECT id FROM members WHERE workspace_id = $workspace AND role = 'owner' ORDER BY id FOR UPDATE",
);

/** The owners, locked so that they stay owners until this transaction ends. */
export const lockOwners = async (db: Db): Promise<string[]> =>
  (await db.query<{ id: string }>(owners)).map(({ id }) => id);

/** Null when the user is a member already. */
export async function insertMember(db: Db, userId: string, role: Role): Promise<string | null> {
  const [made] = await db.prisma.member.createManyAndReturn({
    data: [{ id: newId(), userId, role }],
    skipDuplicates: true,
    select: { id: true },
  });
  return made?.id ?? null;
}

export async function updateRole(db: Db, id: string, role: Role): Promise<void> {
  await db.prisma.member.updateMany({ where: { id }, data: { role } });
}

/** Notes what the groups of a sign-in give to a member. */
export async function setGroupRole(db: Db, userId: string, groupRole: Role | null): Promise<void> {
  await db.prisma.member.updateMany({ where: { userId }, data: { groupRole } });
}

/** No member's role counts as given by groups any more. */
export async function forgetGroupRoles(db: Db): Promise<void> {
  await db.prisma.member.updateMany({ where: { groupRole: { not: null } }, data: { groupRole: null } });
}

export async function deleteMember(db: Db, id: string): Promise<void> {
  await db.prisma.member.deleteMany({ where: { id } });
}

export const isMemberByEmail = async (db: Db, email: string): Promise<boolean> =>
  (await db.prisma.member.findFirst({ where: { user: { email } }, select: { id: true } })) !== null;

export type InvitationRow = Pick<Invitation, "id" | "email" | "role" | "createdAt" | "expiresAt"> & {
  /** the name of who invited; null when they are gone */
  invitedBy: string | null;
};

/** Invitations that still work. */
const isOpen = () => ({ acceptedAt: null, revokedAt: null, expiresAt: { gt: new Date() } });

async function findInvitations(db: Db, which: { id?: string }): Promise<InvitationRow[]> {
  const rows = await db.prisma.invitation.findMany({
    where: { ...isOpen(), ...which },
    select: { id: true, email: true, role: true, invitedBy: true, createdAt: true, expiresAt: true },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
  const names = await findUserNames(
    db,
    rows.map(({ invitedBy }) => invitedBy),
  );
  return rows.map((row) => ({ ...row, invitedBy: names.get(row.invitedBy) ?? null }));
}

export const findOpenInvitations = (db: Db): Promise<InvitationRow[]> => findInvitations(db, {});

export const findOpenInvitation = async (db: Db, id: string): Promise<InvitationRow | null> =>
  (await findInvitations(db, { id }))[0] ?? null;

export type NewInvitation = Pick<InvitationRow, "id" | "email" | "role" | "expiresAt"> & {
  invitedBy: string;
  tokenHash: Buffer;
};

export async function insertInvitation(db: Db, invitation: NewInvitation): Promise<void> {
  const tokenHash = new Uint8Array(invitation.tokenHash);
  await db.prisma.invitation.create({ data: { ...invitation, tokenHash }, select: { id: true } });
}

/** The role the invitation gives; null when it was used, withdrawn or has expired. */
export async function markAccepted(db: Db, id: string): Promise<Role | null> {
  // One statement: of several people with the link, only one gets it.
  const { count } = await db.prisma.invitation.updateMany({
    where: { id, ...isOpen() },
    data: { acceptedAt: new Date() },
  });
  if (count === 0) return null;
  return (await db.prisma.invitation.findFirst({ where: { id }, select: { role: true } }))?.role ?? null;
}

/** False when the invitation does not work any more. */
export const markRevoked = async (db: Db, id: string): Promise<boolean> =>
  (
    await db.prisma.invitation.updateMany({
      where: { id, acceptedAt: null, revokedAt: null },
      data: { revokedAt: new Date() },
    })
  ).count > 0;

/** Withdraws the open invitations to these roles that the user made. */
export async function withdrawInvitationsOf(
  db: Db,
  userId: string,
  roles: readonly Role[],
): Promise<Pick<InvitationRow, "id" | "email" | "role">[]> {
  const withdrawn = await db.prisma.invitation.updateManyAndReturn({
    where: { ...isOpen(), invitedBy: userId, role: { in: [...roles] } },
    data: { revokedAt: new Date() },
    select: { id: true },
  });
  return db.prisma.invitation.findMany({
    where: { id: { in: withdrawn.map(({ id }) => id) } },
    select: { id: true, email: true, role: true },
  });
}
