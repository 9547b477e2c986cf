import type { Maintenance } from "#lib/jobs/handler.ts";
import { queueRescoring, rescore } from "./service/rescore.ts";

export const jobs = [rescore];

/** Finds what waits without a job, as when a process died between a commit and the queueing after it. */
export const maintenance: readonly Maintenance[] = [
  {
    name: "scores",
    async step(workspaceId) {
      await queueRescoring(workspaceId);
      return false;
    },
  },
];
