import { z } from "zod";
import { Fault } from "#lib/core/errors.ts";
import { isUuid, newId } from "#lib/core/ids.ts";
import { cursorsOf, pageOf } from "#lib/core/paging.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";
import { lockWorkspace } from "#lib/db/row-locks.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { sourceOf } from "#lib/domain/records/evidence/service.ts";
import { formatTime } from "#lib/text/time.ts";
import * as contract from "../contract.ts";
import {
  countLeads,
  deleteListRow,
  findList,
  findListNamed,
  insertList,
  type LeadCount,
  type ListRow,
  listLists,
  updateList,
} from "../queries/lists.ts";

const Place = z.tuple([Timestamp, Id]);
const places = cursorsOf(contract.listLeadLists.name, Place);
const newest = { column: "created_at", type: "timestamptz", nullable: false, descending: true } as const;

export const listLeadLists = implement(contract.listLeadLists, async (ctx, { limit, offset, cursor }) => {
  if (cursor !== undefined && offset > 0)
    throw new Fault("invalid_parameter", { parameter: "offset" }, "offset: give either cursor or offset.");
  const [value, id] = cursor === undefined ? [] : places.decode(ctx, cursor);
  const after = value && id ? { value, id } : null;
  const rows = await listLists(ctx.db, { conditions: [], sort: newest, limit, offset, after });
  const { shown, next } = pageOf(ctx, places, { rows, limit }, ({ createdAt, id }) => [formatTime(createdAt), id]);
  return { lead_lists: await viewsOf(ctx, shown), limit, offset, ...next };
});

export const createLeadList = implement(contract.createLeadList, async (ctx, input) => ({
  lead_list: await viewOf(ctx, await makeList(ctx, input)),
}));

/** Makes a list in the caller's transaction. */
export const makeList = (
  ctx: Ctx,
  {
    name,
    source = sourceOf(ctx),
    columns = [],
  }: { name: string; source?: string | undefined; columns?: string[] | undefined },
): Promise<ListRow> => insertList(ctx.db, { id: newId(), name, source, columns });

/** The id of the list of this id or name, the newest of several; a list is made for a name that none has. Throws 404 for an id of none. */
export async function listNamed(ctx: Ctx, name: string): Promise<string> {
  if (isUuid(name)) return requireList(await findList(ctx.db, name.toLowerCase())).id;
  const list = await findListNamed(ctx.db, name);
  if (list) return list.id;
  await lockWorkspace(ctx.db); // of two that make it, the second one waits here and takes the first one's
  return ((await findListNamed(ctx.db, name)) ?? (await makeList(ctx, { name }))).id;
}

export const getLeadList = implement(contract.getLeadList, async (ctx, { id }) => ({
  lead_list: await viewOf(ctx, requireList(await findList(ctx.db, id))),
}));

export const changeLeadList = implement(contract.changeLeadList, async (ctx, { id, ...change }) => ({
  lead_list: await viewOf(ctx, requireList(await updateList(ctx.db, id, change))),
}));

export const deleteLeadList = implement(contract.deleteLeadList, async (ctx, { id }) => {
  const lead_list = await viewOf(ctx, requireList(await findList(ctx.db, id)));
  await deleteListRow(ctx.db, id);
  return { lead_list };
});

/** The list; throws 404 when there is none. */
export function requireList(list: ListRow | null): ListRow {
  if (!list) throw new Fault("lead_list_not_found");
  return list;
}

async function viewOf(ctx: Ctx, list: ListRow): Promise<contract.LeadList> {
  const [view] = await viewsOf(ctx, [list]);
  return view as contract.LeadList;
}

async function viewsOf(ctx: Ctx, lists: readonly ListRow[]): Promise<contract.LeadList[]> {
  const counts =
    lists.length > 0
      ? await countLeads(
          ctx.db,
          lists.map(({ id }) => id),
        )
      : [];
  const countsOf = Map.groupBy(counts, ({ listId }) => listId);
  return lists.map((list) => view(list, countsOf.get(list.id) ?? []));
}

function view(
  { id, name, source, columns, createdAt, updatedAt }: ListRow,
  counts: readonly LeadCount[],
): contract.LeadList {
  const by_status = { pending: 0, sent: 0, replied: 0, bounced: 0 };
  for (const { status, leads } of counts) by_status[status] = leads;
  return {
    id,
    name,
    source,
    columns,
    lead_count: counts.reduce((sum, { leads }) => sum + leads, 0),
    by_status,
    created_at: formatTime(createdAt),
    updated_at: formatTime(updatedAt),
  };
}
