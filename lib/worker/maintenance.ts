import type { WorkspaceId } from "#lib/core/ids.ts";
import { log } from "#lib/core/log.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import type { JobHandler, Maintenance } from "#lib/jobs/handler.ts";
import { enqueue, jobKind } from "#lib/jobs/queue.ts";
import { resumable } from "#lib/jobs/resumable.ts";

/** The work that a walk leaves in a workspace: more than one step, or a failed one. */
export const maintaining = jobKind("workspace:maintain", {
  label: "Maintenance",
  ids: [],
  attempts: 3,
  queue: "maintenance",
  shared: true,
  priority: 10,
  once: true,
});

/**
 * One step of each part in a workspace. The rest, or a failure, becomes a job of the workspace, so that the walk is not
 * held up.
 */
export async function visit(workspaceId: WorkspaceId, parts: readonly Maintenance[]): Promise<void> {
  const { more, failures } = await runParts(workspaceId, parts, () => true);
  if (more || failures.length > 0) await withWorkspace(workspaceId, (db) => enqueue(db, maintaining, {}));
}

/** Runs the parts of the maintenance to their end. When a part fails, the job fails and is tried again. */
export const maintain = (parts: readonly Maintenance[], turnMs = 5_000): JobHandler =>
  resumable(maintaining, {
    turnMs,
    begin:
      ({ caller }) =>
      async (turn) => {
        const { more, failures } = await runParts(caller.workspaceId, parts, () => turn.isOver());
        if (failures.length > 0) throw failures[0];
        return more ? "more" : "done";
      },
  });

/** Each part gets at least one step; a failing part does not stop the others. */
async function runParts(workspaceId: WorkspaceId, parts: readonly Maintenance[], isOver: () => boolean) {
  const failures: unknown[] = [];
  let more = false;
  for (const { name, step } of parts) {
    try {
      let left = await step(workspaceId);
      while (left && !isOver()) left = await step(workspaceId);
      more ||= left;
    } catch (error) {
      log.warn({ err: error, workspace_id: workspaceId, part: name }, "a part of the maintenance failed");
      failures.push(error);
    }
  }
  return { more, failures };
}
