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
import { type ImportedBatch, look, type PreparedBatch, prepare } from "./prepare.ts";
import { insideImport } from "./work.ts";

export type State = "checking" | "running";

type LaneEnd = "done" | "elsewhere";

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

/**
 * Batches of people that are worked on at once. The second waits for the first where they share an identifier, because each
 * locks all of its own before the next begins; and it commits after the first. So it is as if they were done one after another.
 */
const LANES = 2;

/** Another process has imported these rows, or they changed since they were read: begin again from what is stored. */
class Elsewhere extends Error {}

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
    const most = this.record.kind === "people" ? LANES : 1;
    const under: Promise<LaneEnd>[] = [];
    let outcome: LaneEnd = "done";
    const settle = async (left: number) => {
      for (; outcome === "done" && under.length > left; under.shift()) outcome = await (under[0] as Promise<LaneEnd>);
    };
    let ahead = this.prepared(this.position);
    try {
      for (let place = this.position; outcome === "done" && !this.work.turn.isOver(); place++) {
        const prepared = await ahead;
        if (prepared === null) {
          await settle(0);
          return outcome === "done" && (await this.finished());
        }
        ahead = this.prepared(place + 1);
        ahead.catch(() => undefined); // awaited in the next round
        const { locksTaken, done } = this.begin(prepared);
        under.push(done);
        await locksTaken;
        await settle(most - 1);
      }
      await settle(0);
      return false;
    } finally {
      // What fails here fails after the error that is thrown, or is done again.
      await together([...under, ahead].map((each) => each.catch(() => null)));
    }
  }

  private async prepared(place: number): Promise<PreparedBatch | null> {
    const read = await reading(this.caller, async (ctx) => {
      const batch = await findBatch(ctx.db, this.record.id, place);
      return batch && { batch, owners: await memberFinder(ctx) };
    });
    return read && prepare(this.work.as(this.caller, this.record), this.record, read.batch, this.seen, read.owners);
  }

  /** Imports a batch in one transaction. `locksTaken`: the next one may begin, or this one has ended. */
  private begin(prepared: PreparedBatch): { locksTaken: Promise<unknown>; done: Promise<LaneEnd> } {
    const locks = Promise.withResolvers<unknown>();
    const began = performance.now();
    const done = insideImport(this.caller)((ctx) => this.import(ctx, prepared, began, () => locks.resolve(null))).then(
      (): LaneEnd => {
        this.position = prepared.batch.place + 1;
        this.committedAt = performance.now();
        this.work.turn.tell();
        return "done";
      },
      (error: unknown): LaneEnd => {
        if (error instanceof Elsewhere) return "elsewhere";
        throw error;
      },
    );
    done.then(locks.resolve, locks.resolve); // `done` rejects when it fails
    return { locksTaken: locks.promise, done };
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
