import { withWorkspace } from "#lib/db/transaction.ts";
import type { Maintenance } from "#lib/jobs/handler.ts";
import { sweepFiles } from "./queries.ts";
import { runExport } from "./service/write.ts";

export const jobs = [runExport];

/** The history goes back so far. */
const HISTORY_DAYS = 90;
/** Pieces that one step removes. */
const BATCH = 100;

export const maintenance: readonly Maintenance[] = [
  {
    name: "exports",
    step: async (workspaceId) =>
      (await withWorkspace(workspaceId, (db) => sweepFiles(db, BATCH, HISTORY_DAYS))) === BATCH,
  },
];
