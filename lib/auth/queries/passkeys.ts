import { newId } from "#lib/core/ids.ts";
import type { Db } from "#lib/db/handle.ts";
import type { Passkey } from "#prisma/generated/client.ts";

export type PasskeyRow = Pick<Passkey, "id" | "name" | "createdAt" | "lastUsedAt">;

const shown = { id: true, name: true, createdAt: true, lastUsedAt: true } as const;

/** The person's passkeys, oldest first. */
export const findPasskeys = (db: Db, userId: string): Promise<(PasskeyRow & Pick<Passkey, "credentialId">)[]> =>
  db.prisma.passkey.findMany({
    where: { userId },
    select: { ...shown, credentialId: true },
    orderBy: { id: "asc" },
  });

export const countPasskeys = (db: Db, userId: string): Promise<number> =>
  db.prisma.passkey.count({ where: { userId } });

export type UsablePasskey = Pick<Passkey, "id" | "userId" | "publicKey" | "counter">;

export const findPasskeyByCredential = (db: Db, credentialId: Uint8Array<ArrayBuffer>): Promise<UsablePasskey | null> =>
  db.prisma.passkey.findFirst({
    where: { credentialId },
    select: { id: true, userId: true, publicKey: true, counter: true },
  });

type NewPasskey = Pick<Passkey, "userId" | "name" | "credentialId" | "publicKey" | "counter">;

/** Null when this passkey is there already. */
export async function insertPasskey(db: Db, row: NewPasskey): Promise<PasskeyRow | null> {
  const [made] = await db.prisma.passkey.createManyAndReturn({
    data: [{ id: newId(), ...row }],
    skipDuplicates: true,
    select: shown,
  });
  return made ?? null;
}

/** Notes a use. False when the device counted this far before: of two uses at once with one count, one is first. */
export const takeUse = async (db: Db, id: string, counter: bigint): Promise<boolean> =>
  (
    await db.prisma.passkey.updateMany({
      where: { id, ...(counter === 0n ? { counter: 0n } : { counter: { lt: counter } }) },
      data: { counter, lastUsedAt: new Date() },
    })
  ).count > 0;

/** The passkey under its new name, and what it was called; null when it is none of the person's. */
export async function updatePasskeyName(
  db: Db,
  userId: string,
  id: string,
  name: string,
): Promise<{ from: string; row: PasskeyRow } | null> {
  const before = await db.prisma.passkey.findFirst({ where: { id, userId }, select: { name: true } });
  const [row] = await db.prisma.passkey.updateManyAndReturn({ where: { id, userId }, data: { name }, select: shown });
  return before && row ? { from: before.name, row } : null;
}

/** The name of the passkey that was deleted; null when it is none of the person's. */
export async function deletePasskey(db: Db, userId: string, id: string): Promise<string | null> {
  const row = await db.prisma.passkey.findFirst({ where: { id, userId }, select: { name: true } });
  if (!row) return null;
  return (await db.prisma.passkey.deleteMany({ where: { id, userId } })).count > 0 ? row.name : null;
}

/** False when the challenge was answered before: of two answers at once, one is first. Those that have expired are removed. */
export async function insertUsedChallenge(db: Db, hash: Buffer, expiresAt: Date): Promise<boolean> {
  await db.prisma.usedChallenge.deleteMany({ where: { expiresAt: { lt: new Date() } } });
  const { count } = await db.prisma.usedChallenge.createMany({
    data: [{ hash: new Uint8Array(hash), expiresAt }],
    skipDuplicates: true,
  });
  return count > 0;
}
