import { findSuccessors } from "#lib/auth/queries/api-keys.ts";
import { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { formatTime } from "#lib/text/time.ts";
import * as contract from "../contract.ts";
import {
  type ApprovalRow,
  copyRules,
  findLastConnection,
  findRule,
  findRules,
  insertRules,
  removeRule,
  removeRulesOf,
} from "../queries.ts";
import { tellApprovals } from "./end.ts";

export const listApprovalRules = implement(contract.listApprovalRules, async (ctx) => ({
  rules: (await findRules(ctx.db)).map(({ id, askerId, property, createdBy, createdAt }) => ({
    ...{ id, asker_id: askerId, property, created_by: createdBy, created_at: formatTime(createdAt) },
  })),
}));

export const removeApprovalRule = implement(contract.removeApprovalRule, async (ctx, { id }) => {
  const rule = await findRule(ctx.db, id);
  if (!rule) throw new Fault("approval_rule_not_found");
  await removeRule(ctx.db, id);
  await recordAudit(ctx, "change.rule_removed", rule.askerId, { property: rule.property, asked_by: rule.askerName });
  tellApprovals(ctx);
  return { id };
});

/**
 * Lets the key or client that asked for a value, and the keys that took its place, set this property from now on, no matter who
 * said it.
 */
export async function allowAlways(
  ctx: Ctx,
  { askerId, askerName, property }: Pick<ApprovalRow, "askerId" | "askerName"> & { property: string },
): Promise<void> {
  const rules = (await findSuccessors(ctx.db, askerId)).map((id) => ({
    ...{ id: newId(), askerId: id, property, createdBy: ctx.actor.id },
  }));
  if (await insertRules(ctx.db, rules))
    await recordAudit(ctx, "change.rule_added", askerId, { property, asked_by: askerName });
}

/**
 * Gives a client that a member connects again the rules of its last connection that was not ended. Returns the properties. It is
 * the same client when it has the same registration: names are its own claim.
 */
export async function inheritRulesOfClient(ctx: Pick<Ctx, "db">, grantId: string): Promise<string[]> {
  const last = await findLastConnection(ctx.db, grantId);
  if (!last) return [];
  const properties = await copyRules(ctx.db, last.id, grantId, newId);
  if (last.isOver) await removeRulesOf(ctx.db, [last.id]);
  return properties;
}

/** Gives the rules of a key to the one that takes its place. */
export const inheritRules = (ctx: Pick<Ctx, "db">, keyId: string, successorId: string): Promise<string[]> =>
  copyRules(ctx.db, keyId, successorId, newId);
