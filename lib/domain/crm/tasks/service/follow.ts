import type { Ctx } from "#lib/domain/implement.ts";
import { logChanges } from "#lib/domain/records/change-log/service.ts";
import { readClock, sourceOf } from "#lib/domain/records/evidence/service.ts";
import { announce } from "#lib/live/announce.ts";
import { giveTasks, redactTitles, releaseTasksOf } from "../queries.ts";
import { REDACTED } from "../rules.ts";

/** Tells the feed of changes and open pages of tasks that were added, changed or deleted; those without a record are the workspace's. */
export function announceTasks(ctx: Ctx, at: Date, tasks: readonly { id: string; entityId: string | null }[]): void {
  if (tasks.length === 0) return;
  const source = sourceOf(ctx);
  const changes = tasks.map(({ id, entityId }) => ({
    type: "task" as const,
    entityId: entityId ?? ctx.workspaceId,
    mergeId: id,
    source,
  }));
  logChanges(ctx, changes, at);
  ctx.db.afterCommit(() => announce(ctx.workspaceId, { topic: "tasks" }));
}

/** The tasks of a record follow into the one it was merged into. The caller holds both. */
export const followMerge = async (ctx: Ctx, keepId: string, dropId: string): Promise<void> =>
  announceMoved(ctx, await giveTasks(ctx.db, dropId, keepId, null), keepId);

/** The tasks of a record whose merge is undone return to it. The caller holds both. */
export const followUnmerge = async (
  ctx: Ctx,
  keepId: string,
  dropId: string,
  followers: readonly string[],
): Promise<void> => announceMoved(ctx, await giveTasks(ctx.db, keepId, dropId, [dropId, ...followers]), dropId);

async function announceMoved(ctx: Ctx, ids: readonly string[], entityId: string): Promise<void> {
  if (ids.length === 0) return;
  announceTasks(
    ctx,
    await readClock(ctx.db),
    ids.map((id) => ({ id, entityId })),
  );
}

/** Takes the open tasks from a member who leaves; the done ones stay theirs. The caller has locked the member. */
export async function releaseTasks(ctx: Ctx, userId: string): Promise<void> {
  const at = await readClock(ctx.db);
  const ids = await releaseTasksOf(ctx.db, userId, at);
  announceTasks(
    ctx,
    at,
    ids.map((id) => ({ id, entityId: null })),
  );
}

/** Takes people who are erased out of the titles of other tasks; their own go with them. */
export const forgetInTasks = (ctx: Ctx, identifiers: readonly string[]): Promise<void> =>
  redactTitles(ctx.db, identifiers, REDACTED);
