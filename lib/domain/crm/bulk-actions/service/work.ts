import type { Caller } from "#lib/core/context.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import type { JobHandler } from "#lib/jobs/handler.ts";
import { type Inside, insideOf } from "#lib/jobs/inside.ts";
import { enqueue, jobKind } from "#lib/jobs/queue.ts";
import { resumable } from "#lib/jobs/resumable.ts";
import { announce } from "#lib/live/announce.ts";
import type { BulkState } from "../contract.ts";
import { endRun, findBulkActionToChange } from "../queries.ts";

const declared = { ids: ["bulk_action_id"], queue: "bulk-actions", once: true } as const;

export const running = jobKind("bulk-actions:run", { label: "Change many records", ...declared });
export const undoing = jobKind("bulk-actions:undo", { label: "Undo a change of many records", ...declared });

type Kind = typeof running;

export const queue = (ctx: Pick<Ctx, "db">, kind: Kind, id: string): Promise<void> =>
  enqueue(ctx.db, kind, { bulk_action_id: id });

/** Open pages read bulk actions again. */
export function tellBulkActions(ctx: Pick<Ctx, "db" | "workspaceId">): void {
  ctx.db.afterCommit(() => announce(ctx.workspaceId, { topic: "bulk-actions" }));
}

/** Runs one step in a transaction of its own. */
export const inside = (caller: Caller): Inside => insideOf(caller, "a bulk action", { plansOnce: true });

/** A bulk action in one of these states, worked on step by step; a step says whether more is left. */
export const working = (
  kind: Kind,
  states: readonly BulkState[],
  step: (caller: Caller, id: string, signal: AbortSignal) => Promise<boolean>,
): JobHandler =>
  resumable(kind, {
    turnMs: 10_000,
    begin:
      ({ caller, signal }, { bulk_action_id: id }) =>
      async () =>
        (await step(caller, id, signal)) ? "more" : "done",
    tell: ({ caller }) => announce(caller.workspaceId, { topic: "bulk-actions" }),
    giveUp: ({ caller }, { bulk_action_id: id }) => giveUp(caller, id, states),
  });

/** It stays as far as it is, and says so. */
const giveUp = (caller: Caller, id: string, states: readonly BulkState[]): Promise<void> =>
  inside(caller)(async (ctx) => {
    const row = await findBulkActionToChange(ctx.db, id);
    if (!row || !states.includes(row.state)) return;
    const message =
      row.state === "undoing"
        ? "Something went wrong on our side. What was put back so far stays; undo it again to continue."
        : "Something went wrong on our side. What was changed so far stays, and can be undone.";
    await endRun(ctx.db, id, "failed", message, new Date());
    tellBulkActions(ctx);
  });
