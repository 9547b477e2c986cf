import { withWorkspace } from "#lib/db/transaction.ts";
import type { JobHandler, Maintenance } from "#lib/jobs/handler.ts";
import { enqueue } from "#lib/jobs/queue.ts";
import { hasStale } from "./queries/sharing.ts";
import { runResettling, runSettling, settling, tidyMeetings } from "./service/settle.ts";

export const jobs: readonly JobHandler[] = [runSettling, runResettling];

/** Of meetings whose member left, what no one else may see is removed. What waits without a job gets one. */
export const maintenance: readonly Maintenance[] = [
  {
    name: "meetings",
    async step(workspaceId) {
      await withWorkspace(workspaceId, async (db) => {
        await tidyMeetings(db);
        if (await hasStale(db)) await enqueue(db, settling, {});
      });
      return false;
    },
  },
];
