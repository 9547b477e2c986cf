import type { JobHandler, Maintenance } from "#lib/jobs/handler.ts";
import { resumable } from "#lib/jobs/resumable.ts";
import { sealing, sealNext } from "./service/seal.ts";

export const jobs: readonly JobHandler[] = [
  resumable(sealing, {
    turnMs: 5_000,
    begin:
      ({ caller }) =>
      () =>
        sealNext(caller.workspaceId),
  }),
];

/** What was written before there was a chain, or while no job could run. */
export const maintenance: readonly Maintenance[] = [
  { name: "sealing the audit log", step: async (workspaceId) => (await sealNext(workspaceId)) === "more" },
];
