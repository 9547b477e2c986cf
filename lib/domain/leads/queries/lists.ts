import type { Db } from "#lib/db/handle.ts";
import { type Condition, type ListRequest, listRows } from "#lib/db/listing.ts";
import { sql } from "#lib/db/statement.ts";
import type { LeadStatus } from "../rules/states.ts";

export type ListRow = {
  id: string;
  name: string;
  source: string;
  columns: string[];
  createdAt: Date;
  updatedAt: Date;
};

const COLUMNS = `id, name, source, columns, created_at AS "createdAt", updated_at AS "updatedAt"`;

const insert = sql(
  "lead_list_insert",
  `INSERT INTO lead_lists (workspace_id, id, name, source, columns) VALUES ($workspace, $1, $2, $3, $4) RETURNING ${COLUMNS}`,
);

type NewList = Pick<ListRow, "id" | "name" | "source" | "columns">;

export async function insertList(db: Db, { id, name, source, columns }: NewList): Promise<ListRow> {
  const [row] = await db.query<ListRow>(insert, [id, name, source, columns]);
  if (!row) throw new Error("a list that was inserted is not there");
  return row;
}

// lead_lists_pkey
const byId = sql("lead_list", `SELECT ${COLUMNS} FROM lead_lists WHERE workspace_id = $workspace AND id = $1`);

export const findList = async (db: Db, id: string): Promise<ListRow | null> =>
  (await db.query<ListRow>(byId, [id]))[0] ?? null;

// lead_lists_pkey
const kept = sql("lead_list_kept", `${byId.text} FOR KEY SHARE`);

/** A list that cannot be deleted until this transaction ends. */
export const keepList = async (db: Db, id: string): Promise<ListRow | null> =>
  (await db.query<ListRow>(kept, [id]))[0] ?? null;

// lead_lists_pkey
const update = sql(
  "lead_list_update",
  `UPDATE lead_lists SET name = coalesce($2, name), source = coalesce($3, source), columns = coalesce($4, columns), updated_at = now()
   WHERE workspace_id = $workspace AND id = $1 RETURNING ${COLUMNS}`,
);

type ListChange = { [K in "name" | "source" | "columns"]?: ListRow[K] | undefined };

/** Null when there is no such list. */
export const updateList = async (db: Db, id: string, change: ListChange): Promise<ListRow | null> =>
  (await db.query<ListRow>(update, [id, change.name ?? null, change.source ?? null, change.columns ?? null]))[0] ??
  null;

// lead_lists_pkey
const addColumnsTo = sql(
  "lead_list_add_columns",
  `UPDATE lead_lists SET columns = (columns || ARRAY(SELECT name FROM unnest($2::text[]) AS given(name) WHERE name <> ALL(columns)))[:$3]
   WHERE workspace_id = $workspace AND id = $1 AND NOT $2::text[] <@ columns AND cardinality(columns) < $3`,
);

/** Adds the names that the list does not have, as far as it has room. */
export async function addColumns(db: Db, id: string, names: readonly string[], most: number): Promise<void> {
  await db.query(addColumnsTo, [id, names, most]);
}

// lead_lists_pkey; leads_list_created_idx for its leads
const remove = sql("lead_list_delete", "DELETE FROM lead_lists WHERE workspace_id = $workspace AND id = $1");

export async function deleteListRow(db: Db, id: string): Promise<void> {
  await db.query(remove, [id]);
}

// lead_lists_pkey: a workspace has at most some hundreds
const ofSource = sql(
  "lead_lists_delete_of_source",
  "DELETE FROM lead_lists WHERE workspace_id = $workspace AND source = $1",
);

export async function deleteListsOfSource(db: Db, source: string): Promise<void> {
  await db.query(ofSource, [source]);
}

// leads_list_status_idx alone
const counts = sql(
  "lead_counts",
  `SELECT list_id AS "listId", status::text, count(*)::int AS leads FROM leads
   WHERE workspace_id = $workspace AND list_id = ANY($1) AND NOT hidden GROUP BY 1, 2`,
);

export type LeadCount = { listId: string; status: LeadStatus; leads: number };

export const countLeads = (db: Db, listIds: readonly string[]): Promise<LeadCount[]> =>
  db.query<LeadCount>(counts, [listIds]);

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
