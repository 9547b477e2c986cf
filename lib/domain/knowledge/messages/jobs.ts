import { withWorkspace } from "#lib/db/transaction.ts";
import type { JobHandler, Maintenance } from "#lib/jobs/handler.ts";
import { tidyMessages } from "./queries/sharing.ts";
import { runSettling } from "./service/share.ts";

export const jobs: readonly JobHandler[] = [runSettling];

/** Of mail whose member left: what nobody else may see is removed. */
export const maintenance: readonly Maintenance[] = [
  {
    name: "messages",
    async step(workspaceId) {
      await withWorkspace(workspaceId, tidyMessages);
      return false;
    },
  },
];
