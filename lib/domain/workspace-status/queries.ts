import type { Plan } from "#lib/core/plans.ts";
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

export type ProfileRow = {
  id: string;
  name: string;
  website: string | null;
  businessType: string | null;
  planModel: string | null;
  defaultSignupStage: string | null;
  plan: Plan;
};

const COLUMNS = `id, name, website, business_type AS "businessType", plan_model AS "planModel", default_signup_stage AS "defaultSignupStage", plan::text`;

// workspaces_pkey
const profile = sql("workspace_profile", `SELECT ${COLUMNS} FROM workspaces WHERE id = $workspace`);
const locked = sql(
  "workspace_profile_lock",
  `SELECT ${COLUMNS} FROM workspaces WHERE id = $workspace FOR NO KEY UPDATE`,
);

export const getProfile = async (db: Db): Promise<ProfileRow> => only(await db.query<ProfileRow>(profile));

/** The profile, locked against other writers until the transaction ends. */
export const lockProfile = async (db: Db): Promise<ProfileRow> => only(await db.query<ProfileRow>(locked));

function only([row]: readonly ProfileRow[]): ProfileRow {
  if (!row) throw new Error("the workspace is gone");
  return row;
}

const update = sql(
  "workspace_profile_update",
  `UPDATE workspaces SET name = $1, website = $2, business_type = $3, plan_model = $4, default_signup_stage = $5 WHERE id = $workspace`,
);

export async function setProfile(db: Db, row: ProfileRow): Promise<void> {
  await db.query(update, [row.name, row.website, row.businessType, row.planModel, row.defaultSignupStage]);
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

// people_pkey: the first row answers
const known = sql(
  "workspace_has_people",
  "SELECT EXISTS (SELECT 1 FROM people WHERE workspace_id = $workspace) AS known",
);

/** Whether there are any people yet. */
export const hasPeople = async (db: Db): Promise<boolean> =>
  (await db.query<{ known: boolean }>(known))[0]?.known === true;
