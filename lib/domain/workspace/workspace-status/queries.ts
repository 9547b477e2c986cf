import type { Db } from "#lib/db/handle.ts";
import { lockWorkspace } from "#lib/db/row-locks.ts";
import type { Prisma, Workspace } from "#prisma/generated/client.ts";

const columns = {
  id: true,
  name: true,
  website: true,
  businessType: true,
  planModel: true,
  defaultSignupStage: true,
  plan: true,
} as const;

export type ProfileRow = { [Column in keyof typeof columns]: Workspace[Column] };

export const getProfile = (db: Db): Promise<ProfileRow> => db.prisma.workspace.findFirstOrThrow({ select: columns });

/** The profile, locked against other writers until the transaction ends. */
export async function lockProfile(db: Db): Promise<ProfileRow> {
  await lockWorkspace(db);
  return getProfile(db);
}

export async function setProfile(db: Db, { id: _id, plan: _plan, ...profile }: ProfileRow): Promise<void> {
  await db.prisma.workspace.updateMany({ data: profile });
}

/** Current facts by category, and how many of them were last confirmed before a time. */
export async function countFacts(
  db: Db,
  staleBefore: Date,
): Promise<{ category: string; count: number; stale: number }[]> {
  const counted = async (lastObservedAt: Prisma.DateTimeFilter) => {
    const where = { category: { not: null }, endedAt: null, lastObservedAt };
    const rows = await db.prisma.claim.groupBy({ by: ["category"], where, _count: { _all: true } });
    return rows.map(({ category, _count }) => [category as string, _count._all] as const);
  };
  const stale = new Map(await counted({ lt: staleBefore }));
  return (await counted({})).map(([category, count]) => ({ category, count, stale: stale.get(category) ?? 0 }));
}

/** Whether there are any people yet. */
export const hasPeople = async (db: Db): Promise<boolean> =>
  (await db.prisma.person.findFirst({ select: { id: true } })) !== null;
