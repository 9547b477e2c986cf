import type { WorkspaceId } from "#lib/core/ids.ts";
import { log } from "#lib/core/log.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import type { JobRun, Maintenance } from "#lib/jobs/handler.ts";
import { enqueue, jobKind } from "#lib/jobs/queue.ts";

/** What a walk leaves to be done in a workspace: what is more than one step, or failed. */
export const maintaining = jobKind("workspace:maintain", {
  label: "Maintenance",
  ids: [],
  attempts: 3,
  queue: "maintenance",
  shared: true,
  priority: 10,
  once: true,
});

/** What a workspace gets before the others have their turn. */
const TURN_MS = 5_000;

/** One step of each part in a workspace. What is left, or failed, becomes a job of the workspace: a walk never stops at it. */
export async function visit(workspaceId: WorkspaceId, parts: readonly Maintenance[]): Promise<void> {
  const { more, failures } = await runParts(workspaceId, parts, () => true);
  if (more || failures.length > 0) await queueRest(workspaceId);
}

/**
 * Runs the parts of the maintenance to their end. What is left after its turn, or when the process stops, is queued behind
 * the others. When a part fails the job does, and is tried again.
 */
export const maintain =
  (parts: readonly Maintenance[], turnMs = TURN_MS) =>
  async ({ caller: { workspaceId }, signal }: JobRun): Promise<void> => {
    const until = performance.now() + turnMs;
    const isOver = () => signal.aborted || performance.now() > until;
    const { more, failures } = await runParts(workspaceId, parts, isOver);
    if (failures.length > 0) throw failures[0];
    if (more) await queueRest(workspaceId);
  };

const queueRest = (workspaceId: WorkspaceId): Promise<void> =>
  withWorkspace(workspaceId, (db) => enqueue(db, maintaining, {}));

/** Each part gets one step at least; one that fails keeps none of the others from its work. */
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
