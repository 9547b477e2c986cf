import type { Caller } from "#lib/core/context.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { enqueue, jobKind } from "#lib/jobs/queue.ts";
import { announce } from "#lib/live/announce.ts";
import { hasOthersAtWork } from "../queries/imports.ts";

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

/** An import is worked on this long before others of the workspace get their turn, if there are any. */
const TURN_MS = 10_000;

/** A job ends after this long in any case, so that its failed attempts are not those of a whole large file. */
const LONGEST_MS = 60_000;

/**
 * How long one job works on an import. The next job of a queue begins up to a second after the one before, so a job that is
 * alone goes on.
 */
export class Turn {
  private readonly caller: Caller;
  private readonly importId: string;
  private readonly end = Date.now() + LONGEST_MS;
  private until = Date.now() + TURN_MS;

  constructor(caller: Caller, importId: string) {
    this.caller = caller;
    this.importId = importId;
  }

  isOver(): boolean {
    return Date.now() >= this.until;
  }

  /** Begins another turn, unless another import of the workspace waits for its own. */
  async again(): Promise<boolean> {
    if (Date.now() >= this.end) return false;
    const { workspaceId } = this.caller;
    const look = { operation: "an import", readOnly: true } as const;
    if (await withWorkspace(workspaceId, (db) => hasOthersAtWork(db, this.importId), look)) return false;
    this.until = Date.now() + TURN_MS;
    return true;
  }
}

/** Open pages read imports again. */
export function tellImports(ctx: Pick<Ctx, "db" | "workspaceId">): void {
  ctx.db.afterCommit(() => announce(ctx.workspaceId, { topic: "imports" }));
}
