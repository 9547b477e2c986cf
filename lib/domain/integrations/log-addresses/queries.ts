import type { Db } from "#lib/db/handle.ts";
import type { LogAddress, LogRefusal } from "#prisma/generated/client.ts";

export type LogAddressRow = Omit<LogAddress, "workspaceId">;
export type RefusalRow = Pick<LogRefusal, "sender" | "reason" | "createdAt">;

const omit = { workspaceId: true } as const;

export const findLogAddress = (db: Db, userId: string): Promise<LogAddressRow | null> =>
  db.prisma.logAddress.findFirst({ where: { userId }, omit });

export const findByToken = (db: Db, tokenHash: Uint8Array<ArrayBuffer>): Promise<LogAddressRow | null> =>
  db.prisma.logAddress.findFirst({ where: { tokenHash }, omit });

export async function insertLogAddress(db: Db, row: Omit<LogAddressRow, "receivedAt">): Promise<void> {
  await db.prisma.logAddress.create({ data: row, select: { userId: true } });
}

export async function changeLogAddress(
  db: Db,
  userId: string,
  data: Partial<Pick<LogAddressRow, "tokenHash" | "token" | "receivedAt">>,
): Promise<void> {
  await db.prisma.logAddress.updateMany({ where: { userId }, data });
}

/** The latest refused of a member. */
export const findRefusals = (db: Db, userId: string, most: number): Promise<RefusalRow[]> =>
  db.prisma.logRefusal.findMany({
    where: { userId },
    select: { sender: true, reason: true, createdAt: true },
    orderBy: { id: "desc" },
    take: most,
  });

/** Notes that a mail was refused, and forgets all but the last ones of its member. */
export async function insertRefusal(
  db: Db,
  row: Pick<LogRefusal, "id" | "userId" | "sender" | "reason">,
  most: number,
): Promise<void> {
  await db.prisma.logRefusal.create({ data: row, select: { id: true } });
  const [oldest] = await db.prisma.logRefusal.findMany({
    where: { userId: row.userId },
    select: { id: true },
    orderBy: { id: "desc" },
    skip: most,
    take: 1,
  });
  if (oldest) await db.prisma.logRefusal.deleteMany({ where: { userId: row.userId, id: { lte: oldest.id } } });
}

/** Forgets refused mails from some addresses. */
export async function deleteRefusalsFrom(db: Db, addresses: readonly string[]): Promise<void> {
  await db.prisma.logRefusal.deleteMany({ where: { sender: { in: [...addresses] } } });
}

/** Counts a mail to an address that no member has. */
export async function countUnknown(db: Db, at: Date): Promise<void> {
  await db.prisma.workspace.updateMany({ data: { unknownLogMails: { increment: 1 }, unknownLogMailAt: at } });
}

/** How many mails came to addresses that no member has, and when the last one did. */
export async function findUnknown(db: Db): Promise<{ count: number; lastAt: Date | null }> {
  const row = await db.prisma.workspace.findFirstOrThrow({ select: { unknownLogMails: true, unknownLogMailAt: true } });
  return { count: row.unknownLogMails, lastAt: row.unknownLogMailAt };
}

/** How far the operator's mailbox was read; another `UIDVALIDITY` begins it anew. */
export async function findPlace(db: Db, mailbox: string, uidValidity: string): Promise<bigint> {
  const place = await db.prisma.logPlace.findFirst({ where: { mailbox } });
  if (place?.uidValidity === uidValidity) return place.nextUid;
  await db.prisma.logPlace.deleteMany({ where: { mailbox } });
  await db.prisma.logPlace.create({ data: { mailbox, uidValidity, nextUid: 1n }, select: { mailbox: true } });
  return 1n;
}

/** Moves the place; false: it is elsewhere meanwhile. */
export async function movePlace(
  db: Db,
  { mailbox, uidValidity, from, to }: { mailbox: string; uidValidity: string; from: bigint; to: bigint },
): Promise<boolean> {
  const { count } = await db.prisma.logPlace.updateMany({
    where: { mailbox, uidValidity, nextUid: from },
    data: { nextUid: to },
  });
  return count === 1;
}
