import { z } from "zod";
import { memberToWrite } from "#lib/auth/named-members.ts";
import { nameOfActor } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { cursorsOf, pageOf } from "#lib/core/paging.ts";
import { Id } from "#lib/core/schema.ts";
import { listNamed, requireList } from "#lib/domain/crm/leads/service.ts";
import { filtersForJob } from "#lib/domain/crm/people/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { inFilters, requireFilters } from "#lib/domain/whole-lists.ts";
import * as contract from "../contract.ts";
import {
  type BulkRow,
  beginUndo,
  countWaiting,
  endRun,
  findBulkAction,
  findBulkActions,
  findBulkActionToChange,
  forgetPeople,
  insertBulkAction,
} from "../queries.ts";
import { bulkActionOf } from "../serialize.ts";
import { lists } from "./lists.ts";
import { queue, running, tellBulkActions, undoing } from "./work.ts";

/** Bulk actions that a workspace has under way at a time. */
const MOST_WAITING = 20;

export const createBulkAction = implement(contract.createBulkAction, async (ctx, input) => {
  const { what, filters, action, pipeline_stage: stage } = input;
  requireFields(input);
  requireFilters(ctx, lists[what].list, filters, "a bulk action is about all rows, so it is not paged.");
  const owner = await ownerMeant(ctx, input.owner);
  const listId = await listMeant(ctx, input);
  if ((await countWaiting(ctx.db)) >= MOST_WAITING) throw new Fault("too_many_bulk_actions");
  const id = newId();
  const meant = await filtersForJob(ctx, what, filters).catch((error: unknown) => {
    throw inFilters(error);
  });
  const row = {
    id,
    what,
    action,
    stage: stage ?? null,
    owner,
    listId,
    filters: meant,
    createdBy: nameOfActor(ctx),
  };
  await insertBulkAction(ctx.db, row);
  await queue(ctx, running, id);
  await recordAudit(ctx, "bulk_action.started", id, { what, action, filters });
  tellBulkActions(ctx);
  return answerOf(ctx, id);
});

/** The list that people are added to; one of a new name is made. */
async function listMeant(ctx: Ctx, { list_id, list }: { list_id?: string | null; list?: string }) {
  if (list !== undefined) return listNamed(ctx, list);
  if (!list_id) return null;
  await requireList(ctx, list_id);
  return list_id;
}

/** The address of the member who gets the records; empty for no one, null where the action is another. */
async function ownerMeant(ctx: Ctx, owner: string | undefined): Promise<string | null> {
  if (owner === undefined) return null;
  return owner.toLowerCase() === "none" ? "" : (await memberToWrite(ctx, owner, "owner")).email;
}

type ActionFields = {
  what: contract.BulkList;
  action: contract.BulkVerb;
  pipeline_stage?: unknown;
  owner?: unknown;
  list_id?: unknown;
  list?: unknown;
};

/** Which field an action needs, or one of which fields; no other may be given. */
const fieldsOf: Readonly<Partial<Record<contract.BulkVerb, readonly (keyof ActionFields)[]>>> = {
  set_stage: ["pipeline_stage"],
  set_owner: ["owner"],
  add_to_list: ["list_id", "list"],
};

/** Throws 400 for an action that the list does not have, and for a field that is missing or too many. */
function requireFields(fields: ActionFields): void {
  const { what, action } = fields;
  const refuse = (parameter: string, why: string) =>
    new Fault("invalid_parameter", { parameter }, `${parameter}: ${why}`);
  if (!lists[what].actions.includes(action))
    throw refuse("action", `${what} have the actions ${lists[what].actions.join(" and ")}.`);
  const needed = fieldsOf[action] ?? [];
  const isGiven = (field: keyof ActionFields) => fields[field] !== undefined && fields[field] !== null;
  const other = Object.values(fieldsOf)
    .flat()
    .find((field) => isGiven(field) && !needed.includes(field));
  if (other) throw refuse(other, `is not for ${action}.`);
  const [first, second] = needed;
  if (first && !needed.some(isGiven)) throw refuse(first, `${second ? `or ${second} ` : ""}is needed for ${action}.`);
  if (second && needed.every(isGiven)) throw refuse(second, `give either ${needed.join(" or ")}.`);
}

async function answerOf({ db }: Pick<Ctx, "db">, id: string) {
  const row = await findBulkAction(db, id);
  if (!row) throw new Fault("bulk_action_not_found");
  return { bulk_action: bulkActionOf(row) };
}

/** The bulk action, locked until the transaction ends. */
async function requireToChange({ db }: Pick<Ctx, "db">, id: string): Promise<BulkRow> {
  const row = await findBulkActionToChange(db, id);
  if (!row) throw new Fault("bulk_action_not_found");
  return row;
}

const cursors = cursorsOf(contract.listBulkActions.name, z.tuple([Id]));

export const listBulkActions = implement(
  contract.listBulkActions,
  async (ctx, { limit, cursor }) => {
    const [before] = cursor === undefined ? [null] : cursors.decode(ctx, cursor);
    const rows = await findBulkActions(ctx.db, limit + 1, before);
    const { shown, next } = pageOf(ctx, cursors, { rows, limit }, ({ id }) => [id]);
    return { bulk_actions: shown.map(bulkActionOf), ...next };
  },
  { transaction: "primary" },
);

export const getBulkAction = implement(contract.getBulkAction, (ctx, { id }) => answerOf(ctx, id), {
  transaction: "primary",
});

export const cancelBulkAction = implement(contract.cancelBulkAction, async (ctx, { id }) => {
  const { state, what, action } = await requireToChange(ctx, id);
  if (state === "queued" || state === "running") {
    await endRun(ctx.db, id, "cancelled", null, new Date());
    await recordAudit(ctx, "bulk_action.cancelled", id, { what, action });
    tellBulkActions(ctx);
  }
  return answerOf(ctx, id);
});

const undoable: readonly contract.BulkState[] = ["running", "done", "cancelled", "failed"];

export const undoBulkAction = implement(contract.undoBulkAction, async (ctx, { id }) => {
  const { state, what, action } = await requireToChange(ctx, id);
  if (!undoable.includes(state)) {
    const message = `The bulk action is ${state}; it can be undone when it is ${undoable.join(" or ")}.`;
    throw new Fault("bulk_action_not_possible", { state, allowed: undoable }, message);
  }
  await beginUndo(ctx.db, id, nameOfActor(ctx));
  await queue(ctx, undoing, id);
  await recordAudit(ctx, "bulk_action.undo_started", id, { what, action });
  tellBulkActions(ctx);
  return answerOf(ctx, id);
});

const ERASED = "A person that the filters named was erased.";

/** In the transaction of an erasure: no bulk action remembers these people. `ids` includes what was merged into them. */
export const forgetInBulkActions = (
  ctx: Pick<Ctx, "db">,
  ids: readonly string[],
  identifiers: readonly string[],
): Promise<void> => forgetPeople(ctx.db, ids, identifiers, ERASED, new Date());
