import type { JobHandler, Maintenance } from "#lib/jobs/handler.ts";
import { resumable, type StepResult } from "#lib/jobs/resumable.ts";
import { pushNext, queueUnsent } from "./service/push.ts";
import { sealing, sealNext } from "./service/seal.ts";
import { trimLog } from "./service/trim.ts";

/** What is left of two: whatever is due first. */
function sooner(one: StepResult, other: StepResult): StepResult {
  if (one === "more" || other === "more") return "more";
  if (one === "done") return other;
  return other === "done" || one.waitMs < other.waitMs ? one : other;
}

export const jobs: readonly JobHandler[] = [
  resumable(sealing, {
    turnMs: 5_000,
    begin:
      ({ caller: { workspaceId }, signal }) =>
      async () =>
        sooner(await sealNext(workspaceId), await pushNext(workspaceId, signal)),
  }),
];

/** Also what was written before there was a chain, and while no job could run. */
export const maintenance: readonly Maintenance[] = [
  { name: "sealing the audit log", step: async (workspaceId) => (await sealNext(workspaceId)) === "more" },
  { name: "old entries of the audit log", step: (workspaceId) => trimLog(workspaceId) },
  { name: "sending the audit log", step: (workspaceId) => queueUnsent(workspaceId).then(() => false) },
];
