import type { Ctx } from "#lib/domain/implement.ts";
import { enqueue, jobKind } from "#lib/jobs/queue.ts";
import { announce } from "#lib/live/announce.ts";

const declared = { ids: ["import_id"], queue: "imports", once: true } as const;

export const reading = jobKind("imports:read", { label: "Read an uploaded file", ...declared });
export const checking = jobKind("imports:check", { label: "Dry run of an import", ...declared });
export const running = jobKind("imports:run", { label: "Import", ...declared });
export const undoing = jobKind("imports:undo", { label: "Undo an import", ...declared });

type Kind = typeof running;

/** `at`: not before then. */
export const queueReading = (ctx: Pick<Ctx, "db">, id: string, at: Date | null = null): Promise<void> =>
  enqueue(ctx.db, reading, { import_id: id }, at);

export const queue = (ctx: Pick<Ctx, "db">, kind: Kind, id: string): Promise<void> =>
  enqueue(ctx.db, kind, { import_id: id });

/** Open pages read imports again. */
export function tellImports(ctx: Pick<Ctx, "db" | "workspaceId">): void {
  ctx.db.afterCommit(() => announce(ctx.workspaceId, { topic: "imports" }));
}
