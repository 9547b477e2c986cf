import type { Db } from "#lib/db/handle.ts";

/** How far the log was sent, how often the block behind it was tried, and when it is tried next. */
export type Push = { number: number; tries: number; nextAt: Date };

export const findPush = (db: Db): Promise<Push | null> =>
  db.prisma.auditPush.findFirst({ omit: { workspaceId: true } });

export async function savePush(db: Db, workspaceId: string, push: Push): Promise<void> {
  await db.prisma.auditPush.upsert({
    where: { workspaceId },
    create: { workspaceId, ...push },
    update: push,
    select: { number: true },
  });
}
