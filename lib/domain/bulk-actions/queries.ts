import type { Db } from "#lib/db/handle.ts";
import { mentionsAny, mentionValues } from "#lib/db/mentions.ts";
import { sql } from "#lib/db/statement.ts";
import type { Stage } from "#lib/domain/people/service.ts";
import type { BulkAction, BulkList, BulkState, BulkVerb } from "./contract.ts";

export type BulkRow = {
  id: string;
  what: BulkList;
  action: BulkVerb;
  stage: Stage | null;
  listId: string | null;
  filters: BulkAction["filters"];
  state: BulkState;
  total: number | null;
  /** the place of the next batch */
  position: number;
  changed: number;
  unchanged: number;
  skipped: number;
  /** how many batches were undone, the last first; null: it was not asked for */
  undone: number | null;
  restored: number;
  kept: number;
  undoneBy: string | null;
  message: string | null;
  createdBy: string;
  createdAt: Date;
  finishedAt: Date | null;
};

/** How a record was before, by its id, and what tells this change from later ones. */
export type Changes = Readonly<Record<string, Change>>;
/** `from`: null when no stage had been said. */
type Change = { from: Stage | null; observation: string } | { status: true } | { lead: string };

const COLUMNS = `id, what, action, stage, list_id AS "listId", filters, state, total, position, changed, unchanged, skipped, undone, restored, kept,
  undone_by AS "undoneBy", message, created_by AS "createdBy", created_at AS "createdAt", finished_at AS "finishedAt"`;

// bulk_actions_pkey: ids are UUID v7, so it is in order of time
const page = sql(
  "bulk_actions_page",
  `SELECT ${COLUMNS} FROM bulk_actions WHERE workspace_id = $workspace AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $1`,
);
export const findBulkActions = (db: Db, limit: number, before: string | null): Promise<BulkRow[]> =>
  db.query<BulkRow>(page, [limit, before]);

// bulk_actions_pkey
const one = sql("bulk_action_one", `SELECT ${COLUMNS} FROM bulk_actions WHERE workspace_id = $workspace AND id = $1`);
const locked = sql("bulk_action_locked", `${one.text} FOR NO KEY UPDATE`);
export const findBulkAction = async (db: Db, id: string): Promise<BulkRow | null> =>
  (await db.query<BulkRow>(one, [id]))[0] ?? null;

/** The bulk action, locked until this transaction ends. */
export const findBulkActionToChange = async (db: Db, id: string): Promise<BulkRow | null> =>
  (await db.query<BulkRow>(locked, [id]))[0] ?? null;

// bulk_actions_pkey: a workspace has some hundred rows
const waiting = sql(
  "bulk_actions_waiting",
  "SELECT count(*)::int AS count FROM bulk_actions WHERE workspace_id = $workspace AND state IN ('queued', 'running', 'undoing')",
);
export const countWaiting = async (db: Db): Promise<number> =>
  (await db.query<{ count: number }>(waiting))[0]?.count ?? 0;

const insert = sql(
  "bulk_action_insert",
  `INSERT INTO bulk_actions (workspace_id, id, what, action, stage, list_id, filters, created_by) VALUES ($workspace, $1, $2, $3, $4, $5, $6, $7)`,
);
export async function insertBulkAction(
  db: Db,
  row: Pick<BulkRow, "id" | "what" | "action" | "stage" | "listId" | "filters" | "createdBy">,
): Promise<void> {
  const { id, what, action, stage, listId, filters, createdBy } = row;
  await db.query(insert, [id, what, action, stage, listId, JSON.stringify(filters), createdBy]);
}

// bulk_actions_pkey
const begin = sql(
  "bulk_action_begin",
  `UPDATE bulk_actions SET state = 'running', total = $2 WHERE workspace_id = $workspace AND id = $1`,
);
/** The records are known: from here on they are changed. */
export const beginRun = (db: Db, id: string, total: number): Promise<unknown> => db.query(begin, [id, total]);

// bulk_actions_pkey
const advance = sql(
  "bulk_action_advance",
  `UPDATE bulk_actions SET position = position + 1, changed = changed + $2, unchanged = unchanged + $3, skipped = skipped + $4
   WHERE workspace_id = $workspace AND id = $1`,
);
export const advanceRun = (
  db: Db,
  id: string,
  { changed, unchanged, skipped }: Pick<BulkRow, "changed" | "unchanged" | "skipped">,
): Promise<unknown> => db.query(advance, [id, changed, unchanged, skipped]);

// bulk_actions_pkey
const end = sql(
  "bulk_action_end",
  `UPDATE bulk_actions SET state = $2, message = $3, finished_at = $4 WHERE workspace_id = $workspace AND id = $1`,
);
export const endRun = (db: Db, id: string, state: BulkState, message: string | null, at: Date): Promise<unknown> =>
  db.query(end, [id, state, message, at]);

// bulk_actions_pkey
const undo = sql(
  "bulk_action_undo",
  `UPDATE bulk_actions SET state = 'undoing', undone = coalesce(undone, 0), undone_by = $2, message = NULL, finished_at = NULL
   WHERE workspace_id = $workspace AND id = $1`,
);
export const beginUndo = (db: Db, id: string, by: string): Promise<unknown> => db.query(undo, [id, by]);

// bulk_actions_pkey
const retreat = sql(
  "bulk_action_retreat",
  `UPDATE bulk_actions SET undone = undone + 1, restored = restored + $2, kept = kept + $3 WHERE workspace_id = $workspace AND id = $1`,
);
export const advanceUndo = (db: Db, id: string, restored: number, kept: number): Promise<unknown> =>
  db.query(retreat, [id, restored, kept]);

const insertOne = sql(
  "bulk_action_batch_insert",
  "INSERT INTO bulk_action_batches (workspace_id, action_id, place, entity_ids) VALUES ($workspace, $1, $2, $3)",
);
export const insertBatch = (db: Db, id: string, place: number, entityIds: readonly string[]): Promise<unknown> =>
  db.query(insertOne, [id, place, entityIds]);

export type Batch = { entityIds: string[]; changes: Changes };

// bulk_action_batches_pkey
const batch = sql(
  "bulk_action_batch",
  `SELECT entity_ids AS "entityIds", changes FROM bulk_action_batches WHERE workspace_id = $workspace AND action_id = $1 AND place = $2`,
);
export const findBatch = async (db: Db, id: string, place: number): Promise<Batch | null> =>
  (await db.query<Batch>(batch, [id, place]))[0] ?? null;

// bulk_action_batches_pkey
const keep = sql(
  "bulk_action_batch_keep",
  "UPDATE bulk_action_batches SET changes = $3 WHERE workspace_id = $workspace AND action_id = $1 AND place = $2",
);
export const keepChanges = (db: Db, id: string, place: number, changes: Changes): Promise<unknown> =>
  db.query(keep, [id, place, JSON.stringify(changes)]);

// bulk_actions_pkey: a workspace has some hundred rows
const forget = sql(
  "bulk_actions_forget",
  `UPDATE bulk_actions SET filters = '{}', message = CASE WHEN state = 'queued' THEN $3 ELSE message END,
     finished_at = CASE WHEN state = 'queued' THEN $4 ELSE finished_at END, state = CASE WHEN state = 'queued' THEN 'cancelled' ELSE state END
   WHERE workspace_id = $workspace AND ${mentionsAny("filters::text", "$1", "$2")}`,
);
// bulk_action_batches_pkey, read whole: erasing is rare. A batch that becomes empty keeps its place.
const forgetIds = sql(
  "bulk_action_batches_forget",
  `UPDATE bulk_action_batches SET entity_ids = ARRAY(SELECT unnest(entity_ids) EXCEPT SELECT unnest($1::uuid[])), changes = changes - $1::text[]
   WHERE workspace_id = $workspace AND entity_ids && $1::uuid[]`,
);

/** Takes erased people out: their ids and what was changed about them, and filters that name them. */
export async function forgetPeople(
  db: Db,
  ids: readonly string[],
  identifiers: readonly string[],
  reason: string,
  at: Date,
): Promise<void> {
  await db.query(forget, [...mentionValues(identifiers), reason, at]);
  await db.query(forgetIds, [ids]);
}

// bulk_actions_pkey
const drop = sql(
  "bulk_actions_drop",
  `DELETE FROM bulk_actions WHERE workspace_id = $workspace AND state NOT IN ('queued', 'running', 'undoing') AND created_at < now() - make_interval(days => $1)`,
);
export const dropOld = (db: Db, days: number): Promise<unknown> => db.query(drop, [days]);
