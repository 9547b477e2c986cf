import type { Caller } from "#lib/core/context.ts";
import { isFault } from "#lib/core/errors.ts";
import { holdSnapshot } from "#lib/db/snapshot.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { holdStanding } from "#lib/domain/crm/recording/service.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { pagesOf } from "#lib/domain/whole-lists.ts";
import { inNameOf } from "#lib/jobs/inside.ts";
import {
  advanceRun,
  type BulkRow,
  beginRun,
  endRun,
  findBatch,
  findBulkAction,
  findBulkActionToChange,
  insertBatch,
  keepChanges,
} from "../queries.ts";
import { changeBatch } from "./change.ts";
import { lists } from "./lists.ts";
import { inside, running, tellBulkActions, working } from "./work.ts";

/** Records that are changed in one transaction. */
const BATCH = 200;
/** Rows that are read at once: as many as the lists give. */
const PAGE = 1_000;

/**
 * Reads the ids of all records that the filters mean, from one snapshot of the workspace, then changes them in batches. A run
 * that was killed while it read begins again; from then on each batch commits together with how far it is.
 */
export const runBulkAction = working(running, ["queued", "running"], async (caller, id, signal) => {
  const row = await inside(caller)((ctx) => findBulkAction(ctx.db, id));
  if (row?.state === "queued") return collect(caller, row, signal);
  return row?.state === "running" && changeNext(caller, row);
});

/** Keeps the ids that the filters mean; false when there is nothing to go on with. */
async function collect(caller: Caller, row: BulkRow, signal: AbortSignal): Promise<boolean> {
  let ids: string[] | null;
  try {
    ids = await idsOf(caller, row, signal);
  } catch (error) {
    if (!isFault(error) || error.status >= 500) throw error;
    await inside(caller)((ctx) => endRun(ctx.db, row.id, "failed", error.message, new Date()));
    return false;
  }
  if (ids === null) return true; // the process stops: the next run reads again
  const all = ids;
  return inside(caller)(async (ctx) => {
    const current = await findBulkActionToChange(ctx.db, row.id);
    if (current?.state !== "queued") return false;
    for (let place = 0; place * BATCH < all.length; place++)
      await insertBatch(ctx.db, row.id, place, all.slice(place * BATCH, (place + 1) * BATCH));
    await beginRun(ctx.db, row.id, all.length);
    return true;
  });
}

/** Null when the process stops meanwhile. */
const idsOf = (caller: Caller, { what, filters }: BulkRow, signal: AbortSignal): Promise<string[] | null> =>
  withWorkspace(caller.workspaceId, async (db) => {
    await holdSnapshot(db);
    const { list, rows } = lists[what];
    const ids: string[] = [];
    for await (const page of pagesOf<{ id: string }>(caller, db, { list, rows, filters, limit: PAGE })) {
      if (signal.aborted) return null;
      for (const { id } of page) ids.push(id);
    }
    return ids;
  });

/** One batch, in one transaction; false when the work is over. */
const changeNext = (caller: Caller, { id, position }: BulkRow): Promise<boolean> =>
  inside(caller)(async (ctx) => {
    // The records first, then the action: an erasure holds its person when it writes to bulk actions.
    await holdStanding(ctx, (await findBatch(ctx.db, id, position))?.entityIds ?? []);
    const row = await findBulkActionToChange(ctx.db, id);
    if (row?.state !== "running" || row.position !== position) return row?.state === "running";
    const by = inNameOf(ctx, row.createdBy);
    const batch = await findBatch(ctx.db, id, position);
    if (!batch) {
      await endRun(ctx.db, id, "done", null, new Date());
      const { what, action, changed } = row;
      await recordAudit(by, "bulk_action.finished", id, { what, action, changed });
      tellBulkActions(ctx);
      return false;
    }
    const { changes, unchanged, skipped } = await changeBatch(by, row, batch.entityIds);
    await keepChanges(ctx.db, id, position, changes);
    await advanceRun(ctx.db, id, { changed: Object.keys(changes).length, unchanged, skipped });
    return true;
  });
