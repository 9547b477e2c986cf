import { withWorkspace } from "#lib/db/transaction.ts";
import type { Maintenance } from "#lib/jobs/handler.ts";
import { dropOld } from "./queries.ts";
import { runBulkAction } from "./service/run.ts";
import { runUndo } from "./service/undo.ts";

export const jobs = [runBulkAction, runUndo];

/** The history goes back so far, and with it what can be undone. */
const HISTORY_DAYS = 90;

export const maintenance: readonly Maintenance[] = [
  {
    name: "bulk-actions",
    step: async (workspaceId) => {
      await withWorkspace(workspaceId, (db) => dropOld(db, HISTORY_DAYS));
      return false;
    },
  },
];
