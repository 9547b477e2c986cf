import { memberFinder } from "#lib/auth/named-members.ts";
import type { Caller } from "#lib/core/context.ts";
import { singleton } from "#lib/core/singleton.ts";
import { together } from "#lib/core/together.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { readClock } from "#lib/domain/records/evidence/service.ts";
import type { Turn } from "#lib/jobs/resumable.ts";
import { findBatch, isUnchanged, takeTurn } from "../queries/batches.ts";
import { findImport, findProgress, type ImportRecord } from "../queries/imports.ts";
import { Seen } from "../rules/seen.ts";
import { importBatch } from "./batch.ts";
import { Elsewhere, Lanes } from "./lanes.ts";
import { type ImportedBatch, look, type PreparedBatch, prepare } from "./prepare.ts";
import { insideImport } from "./work.ts";

export type State = "checking" | "running";

/** When a batch was done, and how long that took. */
export type BatchTime = { at: Date; ms: number };

export type Work = {
  /** The caller with the one who asked for the import. */
  as<C extends Pick<Ctx, "actor" | "client">>(ctx: C, record: ImportRecord): C;
  /** Keeps the results of a batch, in its transaction and in its turn. */
  keep(ctx: Ctx, record: ImportRecord, imported: ImportedBatch, done: BatchTime): Promise<void>;
  /** Every batch is done. */
  finish(ctx: Ctx, record: ImportRecord): Promise<void>;
  /** Once it is over, no further batch is begun. */
  turn: Turn;
};

/** Works through an import. Returns whether it is over; else it goes on in another job. */
export async function workThrough(caller: Caller, id: string, state: State, work: Work): Promise<boolean> {
  for (;;) {
    const record = await reading(caller, (ctx) => findImport(ctx.db, id));
    if (record?.state !== state) return true;
    if (work.turn.isOver()) return false;
    const key = `${id} ${state}`;
    const seen = seenUntil(key, record.position) ?? (await lookBack(caller, record));
    const run = new Run(caller, record, state, seen, work);
    try {
      if (await run.allLanes()) return true;
    } finally {
      kept.one = { key, position: run.position, seen };
    }
  }
}

type SeenInFile = { key: string; position: number; seen: Seen };
const kept = singleton<{ one: SeenInFile | null }>("import-seen", () => ({ one: null }));

/** What this process has kept of the rows before a position, and maybe of some after it; null when it has worked on something else since. */
const seenUntil = (key: string, position: number): Seen | null =>
  position > 0 && kept.one?.key === key && kept.one.position === position ? kept.one.seen : null;

const reading = <T>(caller: Caller, work: (ctx: Ctx) => Promise<T>): Promise<T> =>
  withWorkspace(caller.workspaceId, (db) => work({ ...caller, db }), { operation: "an import", readOnly: true });

/** What the rows before the position were about, after another process worked on them. */
async function lookBack(caller: Caller, record: ImportRecord): Promise<Seen> {
  const seen = new Seen();
  for (let place = 0; place < record.position; place++) {
    const batch = await reading(caller, (ctx) => findBatch(ctx.db, record.id, place));
    if (batch) look(record, batch, seen);
  }
  return seen;
}

/** The batches of an import from its position on. */
class Run {
  /** the place of the first batch that is not committed */
  position: number;
  private readonly caller: Caller;
  private readonly record: ImportRecord;
  private readonly state: State;
  private readonly seen: Seen;
  private readonly work: Work;
  private committedAt = performance.now();

  constructor(caller: Caller, record: ImportRecord, state: State, seen: Seen, work: Work) {
    this.caller = caller;
    this.record = record;
    this.state = state;
    this.seen = seen;
    this.work = work;
    this.position = record.position;
  }

  /** True when the import is over; false when it should be looked at again. */
  async allLanes(): Promise<boolean> {
    const lanes = new Lanes(this.record.kind);
    let ahead = this.prepared(this.position);
    try {
      for (let place = this.position; lanes.isHere && !this.work.turn.isOver(); place++) {
        const prepared = await ahead;
        if (prepared === null) {
          await lanes.settle();
          return lanes.isHere && (await this.finished());
        }
        ahead = this.prepared(place + 1);
        ahead.catch(() => undefined); // awaited in the next round
        const began = performance.now();
        await lanes.begin((locksTaken) => this.done(prepared, began, locksTaken));
      }
      await lanes.settle();
      return false;
    } finally {
      await together([lanes.end(), ahead.catch(() => null)]);
    }
  }

  private async prepared(place: number): Promise<PreparedBatch | null> {
    const read = await reading(this.caller, async (ctx) => {
      const batch = await findBatch(ctx.db, this.record.id, place);
      return batch && { batch, owners: await memberFinder(ctx) };
    });
    return read && prepare(this.work.as(this.caller, this.record), this.record, read.batch, this.seen, read.owners);
  }

  /** Imports a batch in one transaction. */
  private async done(prepared: PreparedBatch, began: number, locksTaken: () => void): Promise<void> {
    await insideImport(this.caller)((ctx) => this.import(ctx, prepared, began, locksTaken));
    this.position = prepared.batch.place + 1;
    this.committedAt = performance.now();
    this.work.turn.tell();
  }

  private async import(ctx: Ctx, prepared: PreparedBatch, began: number, locksTaken: () => void): Promise<void> {
    const { id } = this.record;
    const { place } = prepared.batch;
    const by = this.work.as(ctx, this.record);
    const [, imported] = await together([
      takeTurn(ctx.db, id, place),
      importBatch(by, this.record, prepared, this.seen, { dryRun: this.state === "checking", locksTaken }),
    ]);
    // The one before has committed or failed when this one gets its turn, so what is read after it is what it left, and an
    // erasure that came first is seen.
    const [, current, unchanged, at] = await together([
      place > 0 ? takeTurn(ctx.db, id, place - 1) : null,
      this.current(ctx, place),
      isUnchanged(ctx.db, id, prepared.batch),
      readClock(ctx.db),
    ]);
    if (!unchanged) throw new Elsewhere();
    await this.work.keep(by, current, imported, { at, ms: performance.now() - Math.max(began, this.committedAt) });
  }

  private async finished(): Promise<boolean> {
    try {
      await insideImport(this.caller)(async (ctx) => this.work.finish(ctx, await this.current(ctx, this.position)));
      return true;
    } catch (error) {
      if (error instanceof Elsewhere) return false;
      throw error;
    }
  }

  /** The import, locked, as long as it is where this run is. */
  private async current(ctx: Ctx, place: number): Promise<ImportRecord> {
    const progress = await findProgress(ctx.db, this.record.id);
    if (progress?.state !== this.state || progress.position !== place) throw new Elsewhere();
    return { ...this.record, ...progress };
  }
}
