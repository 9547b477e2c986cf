import { withWorkspace } from "#lib/db/transaction.ts";
import type { JobHandler, Maintenance } from "#lib/jobs/handler.ts";
import { enqueue } from "#lib/jobs/queue.ts";
import { hasStale } from "./queries/sharing.ts";
import { queueMissing, runIndexing } from "./service/indexing.ts";
import { runSettling, settling, tidyMessages } from "./service/settle.ts";

export const jobs: readonly JobHandler[] = [runSettling, runIndexing];

/** Of mail whose member left, what no one else may see is removed. What waits without a job gets one. */
export const maintenance: readonly Maintenance[] = [
  {
    name: "messages",
    async step(workspaceId) {
      await withWorkspace(workspaceId, async (db) => {
        await tidyMessages(db);
        if (await hasStale(db)) await enqueue(db, settling, {});
        await queueMissing({ db });
      });
      return false;
    },
  },
];
