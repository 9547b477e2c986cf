import type { Db } from "#lib/db/handle.ts";
import { lockRow } from "#lib/db/row-locks.ts";
import { sql } from "#lib/db/statement.ts";
import type { Stage } from "#lib/domain/crm/recording/service.ts";
import { mentionsAny, mentionValues } from "#lib/domain/queries/mentions.ts";
import { DAY_MS } from "#lib/text/time.ts";
import type { Prisma, BulkAction as Stored } from "#prisma/generated/client.ts";
import type { BulkAction, BulkList, BulkState, BulkVerb } from "./contract.ts";

/** `undone`: how many batches were undone, the last first; null: it was not asked for */
export type BulkRow = Omit<Stored, "workspaceId" | keyof TypedColumns> & TypedColumns;
type TypedColumns = {
  what: BulkList;
  action: BulkVerb;
  stage: Stage | null;
  filters: BulkAction["filters"];
  state: BulkState;
};

/** How a record was before, by its id, and what tells this change from later ones. */
export type Changes = Readonly<Record<string, Change>>;
/** `from`: the stage or owner before; null when none had been said. */
type Change = { from: string | null; observation: string } | { status: true } | { lead: string };

const omit = { workspaceId: true } as const;

/** Bulk actions before one, or all: the latest first, because ids are UUID v7. */
export const findBulkActions = (db: Db, limit: number, before: string | null): Promise<BulkRow[]> =>
  db.prisma.bulkAction.findMany({
    where: before === null ? {} : { id: { lt: before } },
    omit,
    orderBy: { id: "desc" },
    take: limit,
  }) as Promise<BulkRow[]>;

export const findBulkAction = (db: Db, id: string): Promise<BulkRow | null> =>
  db.prisma.bulkAction.findFirst({ where: { id }, omit }) as Promise<BulkRow | null>;

/** The bulk action, locked until this transaction ends. */
export async function findBulkActionToChange(db: Db, id: string): Promise<BulkRow | null> {
  await lockRow(db, "bulk_actions", id);
  return findBulkAction(db, id);
}

const UNENDED: BulkState[] = ["queued", "running", "undoing"];

export const countWaiting = (db: Db): Promise<number> =>
  db.prisma.bulkAction.count({ where: { state: { in: UNENDED } } });

export async function insertBulkAction(
  db: Db,
  row: Pick<BulkRow, "id" | "what" | "action" | "stage" | "owner" | "listId" | "filters" | "createdBy">,
): Promise<void> {
  await db.prisma.bulkAction.create({ data: row, select: { id: true } });
}

const change = (db: Db, id: string, data: Prisma.BulkActionUpdateManyMutationInput): Promise<unknown> =>
  db.prisma.bulkAction.updateMany({ where: { id }, data });

/** The records are known: from here on they are changed. */
export const beginRun = (db: Db, id: string, total: number): Promise<unknown> =>
  change(db, id, { state: "running", total });

export const advanceRun = (
  db: Db,
  id: string,
  { changed, unchanged, skipped }: Pick<BulkRow, "changed" | "unchanged" | "skipped">,
): Promise<unknown> =>
  change(db, id, {
    position: { increment: 1 },
    changed: { increment: changed },
    unchanged: { increment: unchanged },
    skipped: { increment: skipped },
  });

export const endRun = (
  db: Db,
  id: string,
  state: BulkState,
  message: string | null,
  finishedAt: Date,
): Promise<unknown> => change(db, id, { state, message, finishedAt });

export async function beginUndo(db: Db, id: string, undoneBy: string): Promise<void> {
  await change(db, id, { state: "undoing", undoneBy, message: null, finishedAt: null });
  await db.prisma.bulkAction.updateMany({ where: { id, undone: null }, data: { undone: 0 } });
}

export const advanceUndo = (db: Db, id: string, restored: number, kept: number): Promise<unknown> =>
  change(db, id, { undone: { increment: 1 }, restored: { increment: restored }, kept: { increment: kept } });

export const insertBatch = (db: Db, id: string, place: number, entityIds: readonly string[]): Promise<unknown> =>
  db.prisma.bulkActionBatch.createMany({ data: [{ actionId: id, place, entityIds: [...entityIds] }] });

export type Batch = { entityIds: string[]; changes: Changes };

export const findBatch = (db: Db, id: string, place: number): Promise<Batch | null> =>
  db.prisma.bulkActionBatch.findFirst({
    where: { actionId: id, place },
    select: { entityIds: true, changes: true },
  }) as Promise<Batch | null>;

export const keepChanges = (db: Db, id: string, place: number, changes: Changes): Promise<unknown> =>
  db.prisma.bulkActionBatch.updateMany({ where: { actionId: id, place }, data: { changes } });

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

export const dropOld = (db: Db, days: number): Promise<unknown> =>
  db.prisma.bulkAction.deleteMany({
    where: { state: { notIn: UNENDED }, createdAt: { lt: new Date(Date.now() - days * DAY_MS) } },
  });
