import { withWorkspace } from "#lib/db/transaction.ts";
import { handles, type Maintenance } from "#lib/jobs/handler.ts";
import { deleteImport, findStale } from "./queries/imports.ts";
import { giveUpReading, runCheck, runImporting, runReading } from "./service/run.ts";
import { runUndo } from "./service/undo.ts";
import { reading } from "./service/work.ts";

export const jobs = [handles(reading, runReading, giveUpReading), runCheck, runImporting, runUndo];

/** Files that were never imported do not stay: 30 days after their upload, a day when the upload never ended. */
export const maintenance: readonly Maintenance[] = [
  {
    name: "imports",
    step: (workspaceId) =>
      withWorkspace(workspaceId, async (db) => {
        const ids = await findStale(db);
        for (const id of ids) await deleteImport(db, id);
        return ids.length > 0;
      }),
  },
];
