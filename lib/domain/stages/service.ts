import type { Ctx } from "#lib/domain/implement.ts";
import { findOwnRules } from "./queries.ts";
import { type StageRules, standardRules } from "./rules.ts";

export { type Signal, type StageRule, type StageRules, stageAfter, standardRules } from "./rules.ts";

/** The table that counts in this workspace. */
export async function readStageRules(ctx: Pick<Ctx, "db">): Promise<StageRules> {
  const own = await findOwnRules(ctx.db);
  return own ? { rules: own.rules, max_age_days: own.maxAgeDays } : standardRules;
}
