import { isFault } from "#lib/core/errors.ts";
import { addPeople, keepList, removeUntouchedLeads } from "#lib/domain/crm/leads/service.ts";
import { type ChangedState, setStates, setStatesBack, setStatuses } from "#lib/domain/crm/people/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import type { BulkVerb } from "../contract.ts";
import type { BulkRow, Changes } from "../queries.ts";

/** What was changed about the records of a batch; the others needed no change, or are gone. */
type BatchResult = { changes: Changes; unchanged: number; skipped: number };

/** What an action says of each record. */
const stateOf: Readonly<Partial<Record<BulkVerb, "pipeline_stage" | "owner">>> = {
  set_stage: "pipeline_stage",
  set_owner: "owner",
};

/** Changes the records of a batch, as a single change of each would. */
export async function changeBatch(ctx: Ctx, row: BulkRow, ids: readonly string[]): Promise<BatchResult> {
  const { action } = row;
  const property = stateOf[action];
  if (property) {
    const value = property === "owner" ? row.owner : row.stage;
    if (value === null) throw new Error(`a bulk action has no ${property}`);
    const { changed, standing } = await setStates(ctx, row.what, ids, property, value);
    return doneOf(ids, standing, new Map(changed.map(({ id, from, observation }) => [id, { from, observation }])));
  }
  if (action === "add_to_list") return addBatch(ctx, row, ids);
  const status = action === "archive" ? "archived" : "active";
  const { changed, standing } = await setStatuses(ctx, ids, status, row.id);
  return doneOf(ids, standing, new Map(changed.map((id) => [id, { status: true }])));
}

const doneOf = (
  ids: readonly string[],
  standing: number,
  changes: ReadonlyMap<string, Changes[string]>,
): BatchResult => ({
  changes: Object.fromEntries(changes),
  unchanged: standing - changes.size,
  skipped: ids.length - standing,
});

/** People who are in the list already stay as they are. A list that was deleted meanwhile gets no one. */
async function addBatch(ctx: Ctx, { listId }: BulkRow, ids: readonly string[]): Promise<BatchResult> {
  const list = listId === null || ids.length === 0 ? null : await keepList(ctx.db, listId);
  if (!list) return { changes: {}, unchanged: 0, skipped: ids.length };
  const added = await addPeople(
    ctx,
    list,
    ids.map((entity_id) => ({ entity_id })),
  );
  const good = added.flatMap((one) => (isFault(one) ? [] : [one]));
  const fresh = good.flatMap(({ entityId, leadId, there }) =>
    there || leadId === null ? [] : [[entityId, { lead: leadId }] as const],
  );
  return doneOf(ids, good.length, new Map(fresh));
}

/** Puts back what the action changed about the records of a batch, where it was not changed since. */
export async function putBack(ctx: Ctx, row: BulkRow, changes: Changes): Promise<{ restored: number; kept: number }> {
  const all = Object.entries(changes);
  const said = all.flatMap(([id, change]): ChangedState[] => ("observation" in change ? [{ id, ...change }] : []));
  const property = stateOf[row.action];
  const leads = all.flatMap(([, change]) => ("lead" in change ? [change.lead] : []));
  const stated = all.flatMap(([id, change]) => ("status" in change ? [id] : []));
  const restored =
    (property && said.length > 0 ? await setStatesBack(ctx, property, said) : 0) +
    (leads.length > 0 ? await removeUntouchedLeads(ctx.db, leads) : 0) +
    (stated.length > 0 ? await setStatusesBack(ctx, row, stated) : 0);
  return { restored, kept: all.length - restored };
}

async function setStatusesBack(ctx: Ctx, { id, action }: BulkRow, ids: readonly string[]): Promise<number> {
  const status = action === "archive" ? "active" : "archived";
  return (await setStatuses(ctx, ids, status, null, id)).changed.length;
}
