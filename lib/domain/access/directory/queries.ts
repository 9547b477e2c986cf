import { newId } from "#lib/core/ids.ts";
import type { Role } from "#lib/core/plans.ts";
import type { Db } from "#lib/db/handle.ts";
import type { DirectoryGroup, DirectoryUser, Prisma } from "#prisma/generated/client.ts";

/** A person of the directory, with the groups they are in. */
export type DirectoryUserRow = Omit<DirectoryUser, "workspaceId"> & {
  groups: { group: Pick<DirectoryGroup, "id" | "displayName" | "role"> }[];
};

const order = () => [{ createdAt: "asc" as const }, { id: "asc" as const }];

const userColumns = {
  omit: { workspaceId: true },
  include: { groups: { select: { group: { select: { id: true, displayName: true, role: true } } } } },
} as const;

export type UserFilter = { id?: string; userName?: string; externalId?: string; userId?: string };
export type Span = { skip: number; take: number };

export const findUsers = (db: Db, where: UserFilter, span?: Span): Promise<DirectoryUserRow[]> =>
  db.prisma.directoryUser.findMany({ where, ...userColumns, orderBy: order(), ...span });

export const countUsers = (db: Db, where: UserFilter): Promise<number> => db.prisma.directoryUser.count({ where });

/** These users, or all of a group. */
export const findUsersOf = (
  db: Db,
  which: { ids: readonly string[] } | { groupId: string },
): Promise<DirectoryUserRow[]> =>
  db.prisma.directoryUser.findMany({
    where: "ids" in which ? { id: { in: [...which.ids] } } : { groups: { some: { groupId: which.groupId } } },
    ...userColumns,
  });

type StoredUser = Pick<DirectoryUserRow, "userName" | "externalId" | "active"> & {
  attributes: Record<string, unknown>;
};

const columnsOf = ({ attributes, ...user }: StoredUser) => ({
  ...user,
  attributes: attributes as Prisma.InputJsonObject,
});

/** The id; null when the name or the user is taken. */
export async function insertUser(db: Db, userId: string, user: StoredUser): Promise<string | null> {
  const [row] = await db.prisma.directoryUser.createManyAndReturn({
    data: [{ id: newId(), userId, ...columnsOf(user) }],
    skipDuplicates: true,
    select: { id: true },
  });
  return row?.id ?? null;
}

export async function updateUser(db: Db, id: string, user: StoredUser): Promise<void> {
  await db.prisma.directoryUser.updateMany({ where: { id }, data: columnsOf(user) });
}

export async function setGivenRole(db: Db, id: string, givenRole: Role | null): Promise<void> {
  await db.prisma.directoryUser.updateMany({ where: { id }, data: { givenRole } });
}

export async function deleteUser(db: Db, id: string): Promise<void> {
  await db.prisma.directoryUser.deleteMany({ where: { id } });
}

/** How many people of the directory are active and are not, and when one was last changed. */
export async function countPeople(db: Db): Promise<{ active: number; inactive: number; changedAt: Date | null }> {
  const counts = await db.prisma.directoryUser.groupBy({
    by: ["active"],
    _count: { _all: true },
    _max: { updatedAt: true },
  });
  const count = (active: boolean) => counts.find((row) => row.active === active)?._count._all ?? 0;
  const times = counts.flatMap(({ _max }) => _max.updatedAt ?? []);
  const changedAt = times.length > 0 ? new Date(Math.max(...times.map(Number))) : null;
  return { active: count(true), inactive: count(false), changedAt };
}

export type DirectoryGroupRow = Omit<DirectoryGroup, "workspaceId">;

export type GroupFilter = { id?: string; displayName?: string; externalId?: string; byHand?: boolean };

export const findGroups = (db: Db, where: GroupFilter, span?: Span): Promise<DirectoryGroupRow[]> =>
  db.prisma.directoryGroup.findMany({ where, omit: { workspaceId: true }, orderBy: order(), ...span });

export const countGroups = (db: Db, where: GroupFilter): Promise<number> => db.prisma.directoryGroup.count({ where });

/** Who is in each of these groups, by the group's id. */
export async function findGroupMembers(
  db: Db,
  groupIds: readonly string[],
): Promise<Map<string, { id: string; userName: string }[]>> {
  const rows = await db.prisma.directoryGroupMember.findMany({
    where: { groupId: { in: [...groupIds] } },
    select: { groupId: true, user: { select: { id: true, userName: true } } },
    orderBy: { directoryUserId: "asc" },
  });
  const members = new Map<string, { id: string; userName: string }[]>(groupIds.map((id) => [id, []]));
  for (const { groupId, user } of rows) members.get(groupId)?.push(user);
  return members;
}

/** How many people each group has, by its id. */
export async function countGroupMembers(db: Db): Promise<Map<string, number>> {
  const rows = await db.prisma.directoryGroupMember.groupBy({ by: ["groupId"], _count: { _all: true } });
  return new Map(rows.map(({ groupId, _count }) => [groupId, _count._all]));
}

type StoredGroup = Pick<DirectoryGroupRow, "displayName" | "externalId">;

/** The roles of the groups with these names, or that the directory knows by them as its own ids. */
export const findRolesOf = async (
  db: Db,
  names: readonly string[],
): Promise<{ displayName: string; role: Role | null }[]> =>
  db.prisma.directoryGroup.findMany({
    where: { role: { not: null }, OR: [{ displayName: { in: [...names] } }, { externalId: { in: [...names] } }] },
    select: { displayName: true, role: true },
    orderBy: order(),
  });

/** The id; null when the name is taken. */
export async function insertGroup(
  db: Db,
  group: StoredGroup & { role?: Role; byHand?: boolean },
): Promise<string | null> {
  const [row] = await db.prisma.directoryGroup.createManyAndReturn({
    data: [{ id: newId(), ...group }],
    skipDuplicates: true,
    select: { id: true },
  });
  return row?.id ?? null;
}

/** What was written down by hand under this name becomes a group of the directory, with its role. Null: there is none. */
export async function takeOverGroup(db: Db, { displayName, externalId }: StoredGroup): Promise<string | null> {
  const [group] = await db.prisma.directoryGroup.updateManyAndReturn({
    where: { displayName, byHand: true },
    data: { externalId, byHand: false },
    select: { id: true },
  });
  return group?.id ?? null;
}

export async function updateGroup(
  db: Db,
  id: string,
  group: Partial<StoredGroup> & { role?: Role | null },
): Promise<void> {
  await db.prisma.directoryGroup.updateMany({ where: { id }, data: group });
}

export async function deleteGroup(db: Db, id: string): Promise<void> {
  await db.prisma.directoryGroup.deleteMany({ where: { id } });
}

export async function addToGroup(db: Db, groupId: string, userIds: readonly string[]): Promise<void> {
  await db.prisma.directoryGroupMember.createMany({
    data: userIds.map((directoryUserId) => ({ groupId, directoryUserId })),
    skipDuplicates: true,
  });
}

export async function removeFromGroup(db: Db, groupId: string, userIds: readonly string[]): Promise<void> {
  await db.prisma.directoryGroupMember.deleteMany({ where: { groupId, directoryUserId: { in: [...userIds] } } });
}

/** The issuer of the OIDC provider whose groups bring members; null: none. */
export const getIssuer = async (db: Db): Promise<string | null> =>
  (await db.prisma.workspace.findFirst({ select: { oidcIssuer: true } }))?.oidcIssuer ?? null;

export async function updateIssuer(db: Db, oidcIssuer: string | null): Promise<void> {
  await db.prisma.workspace.updateMany({ data: { oidcIssuer } });
}
