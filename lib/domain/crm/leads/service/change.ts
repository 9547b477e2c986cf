import { Fault } from "#lib/core/errors.ts";
import {
  changeLeadRows,
  holdLeads,
  type LeadChange,
  type LeadRow,
  type LeadState,
  type ReplyOutcome,
  stateChanged,
} from "#lib/domain/crm/recording/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import * as contract from "../contract.ts";
import { deleteLeadRows } from "../queries/changes.ts";
import { addColumns } from "../queries/lists.ts";
import { fieldsAfter } from "../rules/fields.ts";
import { leadOf } from "./read.ts";

type Change = LeadChange & { reply_outcome?: ReplyOutcome | null | undefined };
type FullChange = Change & {
  scorecard_score?: number | null | undefined;
  fields?: Readonly<Record<string, unknown>> | undefined;
};

export const changeLead = implement(contract.changeLead, async (ctx, { id, ...change }) => {
  const [lead] = await changeEach(ctx, [id], change);
  if (!lead) throw new Fault("lead_not_found");
  const { fields = {} } = change;
  const names = Object.keys(fields).filter((name) => fields[name] !== null);
  if (names.length > 0) await addColumns(ctx.db, lead.listId, names, contract.MOST_FIELDS);
  return { lead: await leadOf(ctx, id) };
});

export const changeLeads = implement(contract.changeLeads, async (ctx, { lead_ids, ...change }) => {
  const changed = await changeEach(ctx, lead_ids, change);
  return { changed: changed.length, not_found: missing(lead_ids, changed) };
});

export const deleteLead = implement(contract.deleteLead, async (ctx, { id }) => {
  await holdLeads(ctx, [id]);
  const lead = await leadOf(ctx, id);
  await deleteLeadRows(ctx.db, [id]);
  return { lead };
});

export const deleteLeads = implement(contract.deleteLeads, async (ctx, { lead_ids }) => {
  const leads = await holdLeads(ctx, lead_ids);
  const removed = await deleteLeadRows(ctx.db, lead_ids);
  return { removed, not_found: missing(lead_ids, leads) };
});

const missing = (ids: readonly string[], leads: readonly { id: string }[]): string[] => {
  const leadIds = new Set(leads.map(({ id }) => id));
  return [...new Set(ids)].filter((id) => !leadIds.has(id));
};

const changeEach = (ctx: Ctx, ids: readonly string[], change: FullChange): Promise<LeadRow[]> =>
  changeLeadRows(ctx, ids, (lead, at) => {
    const { reply_outcome, scorecard_score, fields } = change;
    return {
      ...lead,
      ...stateOf(lead, change, at),
      replyOutcome: reply_outcome === undefined ? lead.replyOutcome : reply_outcome,
      givenScore: scorecard_score === undefined ? lead.givenScore : scorecard_score,
      fields: fieldsAfter(lead.fields, fields ?? {}),
    };
  });

function stateOf(lead: LeadState, change: LeadChange, at: Date): LeadState {
  const state = stateChanged(lead, change, at);
  if ("contradicts" in state) {
    const { contradicts: parameter } = state;
    throw new Fault("invalid_parameter", { parameter }, `${parameter} contradicts the status ${change.status}.`);
  }
  const { status, sentAt, repliedAt, bouncedAt } = state;
  return { status, sentAt, repliedAt, bouncedAt };
}
