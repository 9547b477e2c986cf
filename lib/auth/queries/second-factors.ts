import { newId } from "#lib/core/ids.ts";
import type { Db } from "#lib/db/handle.ts";
import type { SecondFactor } from "#prisma/generated/client.ts";

export type FactorRow = Pick<SecondFactor, "id" | "secret" | "confirmedAt">;

const columns = { id: true, secret: true, confirmedAt: true } as const;

export const findFactor = (db: Db, userId: string): Promise<FactorRow | null> =>
  db.prisma.secondFactor.findFirst({ where: { userId }, select: columns });

/** Takes the place of one that was not confirmed. False when there is a confirmed one. */
export async function insertFactor(db: Db, factor: { id: string; userId: string; secret: string }): Promise<boolean> {
  await db.prisma.secondFactor.deleteMany({ where: { userId: factor.userId, confirmedAt: null } });
  const { count } = await db.prisma.secondFactor.createMany({ data: [factor], skipDuplicates: true });
  return count > 0;
}

/** Uses up the code of a step. False when that or a later one was used: of two at once, one is first. */
export const takeStep = async (db: Db, id: string, step: number): Promise<boolean> =>
  (
    await db.prisma.secondFactor.updateMany({
      where: { id, lastStep: { lt: BigInt(step) } },
      data: { lastStep: BigInt(step) },
    })
  ).count > 0;

/** False when it was confirmed before, or is gone. */
export const markConfirmed = async (db: Db, id: string): Promise<boolean> =>
  (await db.prisma.secondFactor.updateMany({ where: { id, confirmedAt: null }, data: { confirmedAt: new Date() } }))
    .count > 0;

/** Removes the app. False when there was none that is confirmed. */
export const deleteFactor = async (db: Db, userId: string): Promise<boolean> =>
  (await db.prisma.secondFactor.deleteMany({ where: { userId, confirmedAt: { not: null } } })).count > 0;

/** Removes every second factor and the recovery codes. False when there was none. */
export async function deleteFactors(db: Db, userId: string): Promise<boolean> {
  const hadApp = await deleteFactor(db, userId);
  const { count } = await db.prisma.passkey.deleteMany({ where: { userId } });
  await deleteRecoveryCodes(db, userId);
  return hadApp || count > 0;
}

export async function deleteRecoveryCodes(db: Db, userId: string): Promise<void> {
  await db.prisma.recoveryCode.deleteMany({ where: { userId } });
}

/** These take the place of the codes before. */
export async function replaceRecoveryCodes(db: Db, userId: string, hashes: readonly Buffer[]): Promise<void> {
  await db.prisma.recoveryCode.deleteMany({ where: { userId } });
  await db.prisma.recoveryCode.createMany({
    data: hashes.map((hash) => ({ id: newId(), userId, codeHash: new Uint8Array(hash) })),
  });
}

/** Uses a recovery code up, by its hash with each secret. False when it is none of the person's, or was used. */
export const takeRecoveryCode = async (db: Db, userId: string, hashes: readonly Buffer[]): Promise<boolean> =>
  (
    await db.prisma.recoveryCode.updateMany({
      where: { userId, codeHash: { in: hashes.map((hash) => new Uint8Array(hash)) }, usedAt: null },
      data: { usedAt: new Date() },
    })
  ).count > 0;

export const countRecoveryCodes = (db: Db, userId: string): Promise<number> =>
  db.prisma.recoveryCode.count({ where: { userId, usedAt: null } });
