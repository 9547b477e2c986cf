import type { Db } from "#lib/db/handle.ts";
import { lockWorkspace } from "#lib/db/row-locks.ts";
import { sql } from "#lib/db/statement.ts";
import type { Workspace } from "#prisma/generated/client.ts";

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

// claims_current_facts_idx
const facts = sql(
  "workspace_fact_counts",
  `SELECT category, count(*)::int AS count, (count(*) FILTER (WHERE last_observed_at < $1))::int AS stale
   FROM claims WHERE workspace_id = $workspace AND category IS NOT NULL AND ended_at IS NULL GROUP BY category`,
);

/** Current facts by category, and how many of them were last confirmed before a time. */
export const countFacts = (db: Db, staleBefore: Date) =>
  db.query<{ category: string; count: number; stale: number }>(facts, [staleBefore]);

/** Whether there are any people yet. */
export const hasPeople = async (db: Db): Promise<boolean> =>
  (await db.prisma.person.findFirst({ select: { id: true } })) !== null;
