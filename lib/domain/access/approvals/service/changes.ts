import { isFault } from "#lib/core/errors.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { readCurrentOf } from "#lib/domain/knowledge/contacts/service.ts";
import { operationNamed } from "#lib/domain/operation.ts";
import { readFacts } from "#lib/domain/records/facts/service.ts";
import * as contract from "../contract.ts";
import { mayDecide, type Plan, type Proposal, planOf, roleToDecide, shownValue } from "../rules.ts";
import { requireApproval, shownInputOf } from "./read.ts";

const MOST_CHANGES = 100;
const MOST_FACTS = 500;

export const getApprovalChanges = implement(contract.getApprovalChanges, async (ctx, { id }) => {
  const row = await requireApproval(ctx, id);
  const plan = planOf(row.operation, shownInputOf(row));
  const record = await recordNamed(ctx, plan);
  const facts = await factsReplaced(ctx, plan);
  const operation = operationNamed(row.operation);
  const shown = plan.proposals.slice(0, MOST_CHANGES);
  return {
    about: record && { id: record.id, name: record.name, type: record.type },
    is_new: plan.focus !== null && record === null,
    changes: shown.map((proposal) => changeOf(proposal, record?.values, facts)),
    left_out: plan.proposals.length - shown.length,
    may_decide: operation !== undefined && mayDecide(ctx, operation.contract),
    required_role: roleToDecide(operation?.contract ?? { scope: "admin" }),
  };
});

function changeOf(
  { label, kind, after, property }: Proposal,
  values: ReadonlyMap<string, unknown> | undefined,
  facts: string | null,
): contract.ProposedChange {
  const before = property === undefined ? facts : shownValue(values?.get(property));
  return { label, kind, before, after };
}

/** The record that the change names, as it is now; null when there is none. */
async function recordNamed(ctx: Ctx, { focus }: Plan) {
  if (focus === null || focus === "") return null;
  try {
    return await readCurrentOf(ctx, focus);
  } catch (error) {
    if (isFault(error)) return null;
    throw error;
  }
}

/** The texts that the change would replace. */
async function factsReplaced(ctx: Ctx, { replaces }: Plan): Promise<string | null> {
  if (!replaces) return null;
  const facts = await readFacts(ctx, {
    limit: MOST_FACTS,
    ...("section" in replaces ? { categories: [replaces.section] } : {}),
  });
  const replaced = "fact" in replaces ? facts.filter(({ id }) => id === replaces.fact) : facts;
  return replaced.length === 0 ? null : replaced.map(({ content }) => content).join("\n\n");
}
