import type { Caller } from "#lib/core/context.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { inNameOf } from "#lib/jobs/inside.ts";
import { advanceUndo, endRun, findBatch, findBulkActionToChange } from "../queries.ts";
import { putBack } from "./change.ts";
import { inside, tellBulkActions, undoing, working } from "./work.ts";

const undoNext = (caller: Caller, id: string): Promise<boolean> =>
  inside(caller)(async (ctx) => {
    const row = await findBulkActionToChange(ctx.db, id);
    if (row?.state !== "undoing" || row.undone === null || row.undoneBy === null) return false;
    const by = inNameOf(ctx, row.undoneBy);
    const place = row.position - 1 - row.undone;
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
