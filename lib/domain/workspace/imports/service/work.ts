import type { Caller } from "#lib/core/context.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import type { JobRun } from "#lib/jobs/handler.ts";
import { type Inside, insideOf } from "#lib/jobs/inside.ts";
import { enqueue, jobKind } from "#lib/jobs/queue.ts";
import { announce } from "#lib/live/announce.ts";
import { findImportToChange, hasOthersAtWork, type ImportRecord, setImport } from "../queries/imports.ts";

const declared = { ids: ["import_id"], queue: "imports", once: true } as const;

export const reading = jobKind("imports:read", { label: "Read an uploaded file", ...declared });
export const checking = jobKind("imports:check", { label: "Dry run of an import", ...declared });
export const running = jobKind("imports:run", { label: "Import", ...declared });
export const undoing = jobKind("imports:undo", { label: "Undo an import", ...declared });

/** Runs one step in a transaction of its own. */
export const insideImport = (caller: Caller): Inside => insideOf(caller, "an import", { plansOnce: true });

type Kind = typeof running;
type Ids = { import_id: string };

/** `at`: not before then. */
export const queueReading = (ctx: Pick<Ctx, "db">, id: string, at: Date | null = null): Promise<void> =>
  enqueue(ctx.db, reading, { import_id: id }, at);

export const queue = (ctx: Pick<Ctx, "db">, kind: Kind, id: string): Promise<void> =>
  enqueue(ctx.db, kind, { import_id: id });

/** How all jobs on an import take turns; the next job of a queue begins up to a second after the one before. */
export const turns = {
  turnMs: 10_000,
  isAlone: async ({ caller: { workspaceId } }: JobRun, { import_id }: Ids): Promise<boolean> =>
    !(await withWorkspace(workspaceId, (db) => hasOthersAtWork(db, import_id), {
      operation: "an import",
      readOnly: true,
    })),
  tell: ({ caller: { workspaceId } }: JobRun): void => announce(workspaceId, { topic: "imports" }),
};

/** What could not be done stays as far as it is, and says so; `state`: in which it was left. */
export const giveUp = (
  caller: Caller,
  id: string,
  state: ImportRecord["state"],
  then: Pick<ImportRecord, "state" | "problem">,
): Promise<void> =>
  insideImport(caller)(async (ctx) => {
    if ((await findImportToChange(ctx.db, id))?.state !== state) return;
    await setImport(ctx.db, id, then);
    tellImports(ctx);
  });

/** Open pages read imports again. */
export function tellImports(ctx: Pick<Ctx, "db" | "workspaceId">): void {
  ctx.db.afterCommit(() => announce(ctx.workspaceId, { topic: "imports" }));
}
