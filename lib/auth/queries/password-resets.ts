import { newId } from "#lib/core/ids.ts";
import type { Db } from "#lib/db/handle.ts";

export async function insertPasswordReset(db: Db, userId: string, tokenHash: Buffer, expiresAt: Date): Promise<void> {
  await db.prisma.passwordReset.create({
    data: { id: newId(), userId, tokenHash: new Uint8Array(tokenHash), expiresAt },
    select: { id: true },
  });
}

/** The reset of a token, while it may be used. */
const usable = (tokenHash: Buffer) => ({
  tokenHash: new Uint8Array(tokenHash),
  usedAt: null,
  expiresAt: { gt: new Date() },
});

/** Who may set a password by this token; null when it was used or has expired. */
export const findResetUser = async (
  db: Db,
  tokenHash: Buffer,
): Promise<{ id: string; email: string; name: string | null } | null> =>
  (
    await db.prisma.passwordReset.findFirst({
      where: usable(tokenHash),
      select: { user: { select: { id: true, email: true, name: true } } },
    })
  )?.user ?? null;

/** The user whose password the token may set, once; null when it was used or has expired. */
export async function useReset(db: Db, tokenHash: Buffer): Promise<string | null> {
  // One statement, so that of two simultaneous uses only one succeeds.
  const [used] = await db.prisma.passwordReset.updateManyAndReturn({
    where: usable(tokenHash),
    data: { usedAt: new Date() },
    select: { userId: true },
  });
  return used?.userId ?? null;
}

/** Links that were sent before stop working. */
export async function withdrawResets(db: Db, userId: string): Promise<void> {
  await db.prisma.passwordReset.updateMany({ where: { userId, usedAt: null }, data: { usedAt: new Date() } });
}
