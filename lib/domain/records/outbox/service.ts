import type { Ctx } from "#lib/domain/implement.ts";
import { announce } from "#lib/live/announce.ts";
import { deferEvents, type NewEvent } from "./queries.ts";

export { forgetEvents, type NewEvent } from "./queries.ts";

/**
 * Adds events to the outbox of a workspace that has triggers, in the transaction in which they happen; the rows are sent with the COMMIT. The caller
 * holds the lock of each entity, so an entity's events are in the order they happened. What delivers them is told at once
 * after the commit.
 */
export function emit(ctx: Pick<Ctx, "db" | "workspaceId">, at: Date, events: readonly NewEvent[]): void {
  if (events.length === 0) return;
  deferEvents(ctx.db, at, events);
  ctx.db.afterCommit(() => announce(ctx.workspaceId, { topic: "events" }));
}
