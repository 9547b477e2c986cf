import type { Db } from "#lib/db/handle.ts";
import { type Condition, type ListRequest, listRows } from "#lib/db/listing.ts";
import { sql } from "#lib/db/statement.ts";
import type { LeadStatus } from "#lib/domain/crm/recording/contract.ts";
import type { LeadList, Prisma } from "#prisma/generated/client.ts";

export type ListRow = Omit<LeadList, "workspaceId">;

const select = { id: true, name: true, source: true, columns: true, createdAt: true, updatedAt: true } as const;

type NewList = Pick<ListRow, "id" | "name" | "source" | "columns">;

export const insertList = (db: Db, list: NewList): Promise<ListRow> =>
  db.prisma.leadList.create({ data: list, select });

export const findList = (db: Db, id: string): Promise<ListRow | null> =>
  db.prisma.leadList.findFirst({ where: { id }, select });

/** The newest list of this name, in capitals or not. */
export const findListNamed = (db: Db, name: string): Promise<ListRow | null> =>
  db.prisma.leadList.findFirst({
    where: { name: { equals: name.replaceAll(/[\\%_]/g, "\\$&"), mode: "insensitive" } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    select,
  });

// lead_lists_pkey
const kept = sql(
  "lead_list_kept",
  `SELECT id, name, source, columns, created_at AS "createdAt", updated_at AS "updatedAt" FROM lead_lists WHERE workspace_id = $workspace AND id = $1 FOR KEY SHARE`,
);

/** A list that cannot be deleted until this transaction ends. */
export const keepList = async (db: Db, id: string): Promise<ListRow | null> =>
  (await db.query<ListRow>(kept, [id]))[0] ?? null;

type ListChange = { [K in "name" | "source" | "columns"]?: ListRow[K] | undefined };

/** Null when there is no such list. */
export async function updateList(db: Db, id: string, { name, source, columns }: ListChange): Promise<ListRow | null> {
  const [row] = await db.prisma.leadList.updateManyAndReturn({
    where: { id },
    data: { name, source, columns, updatedAt: new Date() } as Prisma.LeadListUpdateManyMutationInput,
    select,
  });
  return row ?? null;
}

// lead_lists_pkey
const addColumnsTo = sql(
  "lead_list_add_columns",
  `UPDATE lead_lists SET columns = columns || (ARRAY(SELECT name FROM unnest($2::text[]) AS given(name) WHERE name <> ALL(columns)))[:$3 - cardinality(columns)]
   WHERE workspace_id = $workspace AND id = $1 AND NOT $2::text[] <@ columns AND cardinality(columns) < $3`,
);

/** Adds the names that the list does not have, as far as it has room. */
export async function addColumns(db: Db, id: string, names: readonly string[], most: number): Promise<void> {
  await db.query(addColumnsTo, [id, names, most]);
}

export async function deleteListRow(db: Db, id: string): Promise<void> {
  await db.prisma.leadList.deleteMany({ where: { id } });
}

/** Removes the lists of a source, with their leads. */
export async function deleteListsOfSource(db: Db, source: string): Promise<void> {
  await db.prisma.leadList.deleteMany({ where: { source } });
}

export type LeadCount = { listId: string; status: LeadStatus; leads: number };

/** Read from leads_list_status_idx alone. */
export async function countLeads(db: Db, listIds: readonly string[]): Promise<LeadCount[]> {
  const counted = await db.prisma.lead.groupBy({
    by: ["listId", "status"],
    where: { listId: { in: [...listIds] }, hidden: false },
    _count: { _all: true },
  });
  return counted.map(({ listId, status, _count }) => ({ listId, status, leads: _count._all }));
}

const WIRE = `json_build_object('id', p.id, 'name', p.name, 'source', p.source, 'columns', p.columns, 'createdAt', p.created_at, 'updatedAt', p.updated_at)::text`;

/** A page of the lists, as `ListRow` in JSON. Relies on lead_lists_pkey: a workspace has at most some hundreds. */
export async function listLists(db: Db, request: ListRequest<Condition>): Promise<ListRow[]> {
  const rows = await listRows(db, { table: "lead_lists", row: WIRE, isWalk: () => true }, request);
  return rows.map((row) => {
    const { createdAt, updatedAt, ...list } = JSON.parse(row) as ListRow;
    return { ...list, createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) };
  });
}

// lead_lists_pkey: the lists of a workspace
const columnNames = sql(
  "lead_list_columns",
  "SELECT DISTINCT unnest(columns) AS name FROM lead_lists WHERE workspace_id = $workspace ORDER BY name",
);

/** The names of the fields that leads of any list have. */
export const findLeadColumns = async (db: Db): Promise<string[]> =>
  (await db.query<{ name: string }>(columnNames)).map(({ name }) => name);
