import type { Caller } from "#lib/core/context.ts";
import { holdStanding } from "#lib/domain/crm/recording/service.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { inNameOf } from "#lib/jobs/inside.ts";
import { advanceUndo, type BulkRow, endRun, findBatch, findBulkAction, findBulkActionToChange } from "../queries.ts";
import { putBack } from "./change.ts";
import { inside, tellBulkActions, undoing, working } from "./work.ts";

/** The batch to undo next; negative: none is left. Null: there is nothing to undo. */
const nextOf = (row: BulkRow | null): number | null =>
  row?.state === "undoing" && row.undone !== null ? row.position - 1 - row.undone : null;

const undoNext = (caller: Caller, id: string): Promise<boolean> =>
  inside(caller)(async (ctx) => {
    // The records first, then the action: an erasure holds its person when it writes to bulk actions.
    const next = nextOf(await findBulkAction(ctx.db, id));
    if (next !== null) await holdStanding(ctx, Object.keys((await findBatch(ctx.db, id, next))?.changes ?? {}));
    const row = await findBulkActionToChange(ctx.db, id);
    const place = nextOf(row);
    if (row === null || place === null || row.undoneBy === null) return false;
    if (place !== next) return true; // another run of the job was here
    const by = inNameOf(ctx, row.undoneBy);
    if (place < 0) {
      await endRun(ctx.db, id, "undone", null, new Date());
      const { what, action, restored, kept } = row;
      await recordAudit(by, "bulk_action.undone", id, { what, action, restored, kept });
      tellBulkActions(ctx);
      return false;
    }
    const batch = await findBatch(ctx.db, id, place);
    const { restored, kept } = await putBack(by, row, batch?.changes ?? {});
    await advanceUndo(ctx.db, id, restored, kept);
    return true;
  });

/** Undoes the batches from the last to the first, each in one transaction that also stores how far it is. */
export const runUndo = working(undoing, ["undoing"], undoNext);
