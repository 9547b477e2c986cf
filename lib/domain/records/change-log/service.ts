import { nameOfActor } from "#lib/core/context.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { isBookkeeping } from "#lib/domain/records/evidence/words.ts";
import { announce } from "#lib/live/announce.ts";
import { deferChanges, type NewChange, removeChanges } from "./queries.ts";

export type { NewChange } from "./queries.ts";

/**
 * Keeps what changed and is no observation for the feed of changes, in the transaction in which it happens and numbered in
 * the order of the calls: a record that is created comes before the evidence about it.
 */
export function logChanges(ctx: Ctx, changes: readonly NewChange[], at: Date | null = null): void {
  if (changes.length === 0) return;
  deferChanges(ctx.db, nameOfActor(ctx), at, changes);
  ctx.db.afterCommit(() => announce(ctx.workspaceId, { topic: "changes" }));
}

/** Tells of properties on which evidence was retired what is believed of them now. */
export function logBeliefs(
  ctx: Ctx,
  beliefs: readonly { owner: string; property: string; value: unknown }[],
  source: string,
): void {
  logChanges(
    ctx,
    beliefs
      .filter(({ property }) => !isBookkeeping(property))
      .map(({ owner: entityId, property, value }) => {
        const type = property === "pipeline_stage" ? "stage" : "state";
        return { type, entityId, property, value, source };
      }),
  );
}

/** Takes out of the feed all that was said of erased entities, and leaves that they were erased. */
export async function logErasure(ctx: Ctx, ids: readonly string[], source: string): Promise<void> {
  await removeChanges(ctx.db, ids);
  logChanges(
    ctx,
    ids.map((entityId) => ({ type: "erased", entityId, source })),
  );
}
