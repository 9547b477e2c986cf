import { newId } from "#lib/core/ids.ts";
import type { Db } from "#lib/db/transaction.ts";

export type UserRow = { id: string; email: string; name: string | null; passwordHash: string | null };

const columns = { id: true, email: true, name: true, passwordHash: true } as const;

export const findUserByEmail = (db: Db, email: string): Promise<UserRow | null> =>
  db.prisma.user.findUnique({ where: { email }, select: columns });

export const findUserById = (db: Db, id: string): Promise<UserRow | null> =>
  db.prisma.user.findUnique({ where: { id }, select: columns });

export const countUsers = (db: Db): Promise<number> => db.prisma.user.count({ take: 1 });

export type NewUser = { email: string; name: string | null; passwordHash: string | null; emailVerified?: boolean };

export const insertUser = (db: Db, { emailVerified, ...user }: NewUser): Promise<UserRow> =>
  db.prisma.user.create({
    data: { id: newId(), ...user, emailVerifiedAt: emailVerified ? new Date() : null },
    select: columns,
  });

export async function updateUserName(db: Db, id: string, name: string | null): Promise<void> {
  await db.prisma.user.update({ where: { id }, data: { name } });
}

export async function updatePassword(db: Db, id: string, passwordHash: string): Promise<void> {
  await db.prisma.user.update({ where: { id }, data: { passwordHash, passwordChangedAt: new Date() } });
}

/** The hash of the same password at another cost. */
export async function updatePasswordHash(db: Db, id: string, passwordHash: string): Promise<void> {
  await db.prisma.user.update({ where: { id }, data: { passwordHash } });
}

export const findUserByProviderAccount = async (
  db: Db,
  provider: string,
  providerAccountId: string,
): Promise<UserRow | null> =>
  (
    await db.prisma.account.findUnique({
      where: { provider_providerAccountId: { provider, providerAccountId } },
      select: { user: { select: columns } },
    })
  )?.user ?? null;

export async function insertProviderAccount(
  db: Db,
  userId: string,
  provider: string,
  providerAccountId: string,
): Promise<void> {
  await db.prisma.account.create({ data: { id: newId(), userId, provider, providerAccountId } });
}

export const findProviders = async (db: Db, userId: string): Promise<string[]> =>
  (
    await db.prisma.account.findMany({ where: { userId }, select: { provider: true }, orderBy: { provider: "asc" } })
  ).map(({ provider }) => provider);
