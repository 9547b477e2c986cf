import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { StageRule } from "../rules/stages.ts";

export type OwnRules = { rules: StageRule[]; maxAgeDays: number; updatedAt: Date; updatedBy: string };

// stage_rules_pkey
const own = sql(
  "stage_rules_find",
  `SELECT rules, max_age_days AS "maxAgeDays", updated_at AS "updatedAt", updated_by AS "updatedBy" FROM stage_rules WHERE workspace_id = $workspace`,
);

/** The rules of a workspace that has its own. */
export const findOwnRules = async (db: Db): Promise<OwnRules | null> => (await db.query<OwnRules>(own))[0] ?? null;
