import { newId } from "#lib/core/ids.ts";
import type { Db } from "#lib/db/handle.ts";
import { lock } from "#lib/db/locks.ts";
import { sql } from "#lib/db/statement.ts";
import type { User } from "#prisma/generated/client.ts";

export type UserRow = Pick<User, "id" | "email" | "name" | "passwordHash" | "passwordTemporary" | "disabledAt">;

const columns = {
  id: true,
  email: true,
  name: true,
  passwordHash: true,
  passwordTemporary: true,
  disabledAt: true,
} as const;

export const findUserByEmail = (db: Db, email: string): Promise<UserRow | null> =>
  db.prisma.user.findFirst({ where: { email }, select: columns });

export const findUserById = (db: Db, id: string): Promise<UserRow | null> =>
  db.prisma.user.findFirst({ where: { id }, select: columns });

export const isAnybodyThere = async (db: Db): Promise<boolean> =>
  (await db.prisma.user.findFirst({ select: { id: true } })) !== null;

/** A lock, so that one sign-up at a time checks whether it is the first; held until the transaction ends. */
export const lockSignUps = (db: Db): Promise<void> => lock(db, "signUp");

// users_pkey
const userLocked = sql("user_locked", "SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE");

/** One change at a time to how the user signs in; held until the transaction ends. */
export async function lockUser(db: Db, id: string): Promise<void> {
  await db.query(userLocked, [id]);
}

export type NewUser = Pick<User, "email" | "name" | "passwordHash"> & {
  passwordTemporary?: boolean;
  emailVerified?: boolean;
};

/** Null when the address is taken; waits for a transaction that is about to take it. */
export async function insertUser(db: Db, { emailVerified = false, ...given }: NewUser): Promise<UserRow | null> {
  const emailVerifiedAt = emailVerified ? new Date() : null;
  const [user] = await db.prisma.user.createManyAndReturn({
    data: [{ id: newId(), ...given, emailVerifiedAt }],
    skipDuplicates: true,
    select: columns,
  });
  return user ?? null;
}

export async function updateUserName(db: Db, id: string, name: string | null): Promise<void> {
  await db.prisma.user.update({ where: { id }, data: { name }, select: { id: true } });
}

/** `passwordTemporary`: the next sign-in has to replace it. */
export async function updatePassword(
  db: Db,
  id: string,
  { passwordHash, passwordTemporary = false }: { passwordHash: string; passwordTemporary?: boolean },
): Promise<void> {
  await db.prisma.user.update({
    where: { id },
    data: { passwordHash, passwordTemporary, passwordChangedAt: new Date() },
    select: { id: true },
  });
}

/** Keeps the user from signing in from now on, or no longer. False when that is so already. */
export const markDisabled = async (db: Db, id: string, disabled: boolean): Promise<boolean> =>
  (
    await db.prisma.user.updateMany({
      where: { id, disabledAt: disabled ? null : { not: null } },
      data: { disabledAt: disabled ? new Date() : null },
    })
  ).count > 0;

/** Whether they have shown that the address is theirs. */
export const isEmailVerified = async (db: Db, id: string): Promise<boolean> =>
  (await db.prisma.user.count({ where: { id, emailVerifiedAt: { not: null } } })) > 0;

export async function markEmailVerified(db: Db, id: string): Promise<void> {
  await db.prisma.user.updateMany({ where: { id, emailVerifiedAt: null }, data: { emailVerifiedAt: new Date() } });
}

/** Removes a password that was chosen before the address was verified. True when there was one. */
export const dropUnverifiedPassword = async (db: Db, id: string): Promise<boolean> =>
  (
    await db.prisma.user.updateMany({
      where: { id, emailVerifiedAt: null, passwordHash: { not: null } },
      data: { passwordHash: null, passwordChangedAt: new Date() },
    })
  ).count > 0;

/** Stores a hash of the same password with other cost parameters. */
export async function updatePasswordHash(db: Db, id: string, passwordHash: string): Promise<void> {
  await db.prisma.user.update({ where: { id }, data: { passwordHash }, select: { id: true } });
}

export const findUserByLogin = async (db: Db, provider: string, providerUserId: string): Promise<UserRow | null> =>
  (
    await db.prisma.providerLogin.findFirst({
      where: { provider, providerUserId },
      select: { user: { select: columns } },
    })
  )?.user ?? null;

/**
 * Keeps a login of the user with this address under another name of its provider from now on. Its user; null when they have none under
 * the earlier name.
 */
export async function adoptLogin(
  db: Db,
  { earlier, provider, id, email }: { earlier: string; provider: string; id: string; email: string },
): Promise<UserRow | null> {
  const { count } = await db.prisma.providerLogin.updateMany({
    where: { provider: earlier, providerUserId: id, user: { email } },
    data: { provider },
  });
  return count > 0 ? findUserByLogin(db, provider, id) : null;
}

/** Links a sign-in at a provider with the user. One that is linked already stays as it is. */
export async function insertLogin(db: Db, userId: string, provider: string, providerUserId: string): Promise<void> {
  await db.prisma.providerLogin.createMany({
    data: [{ id: newId(), userId, provider, providerUserId }],
    skipDuplicates: true,
  });
}

export const findProviders = async (db: Db, userId: string): Promise<string[]> =>
  (
    await db.prisma.providerLogin.findMany({
      where: { userId },
      select: { provider: true },
      orderBy: { provider: "asc" },
    })
  ).map(({ provider }) => provider);
