import type pg from "pg";
import type { Statement } from "#lib/core/context.ts";
import { together } from "#lib/core/together.ts";
import { FirstError } from "./first-error.ts";
import { flushTogether, type Work } from "./lease.ts";
import type { Locks } from "./lock-order.ts";
import { prismaOf } from "./prisma.ts";
import type { ScopedPrisma } from "./prisma-scope.ts";
import { queryOf } from "./statement.ts";

/**
 * One connection inside one transaction. `query` runs a prepared statement; `prisma` runs on the same connection and in
 * the same transaction, and each of its calls is about the workspace of the work. Calls may be issued without awaiting each other: they are pipelined in order. The handle ends with
 * the work it was made for: afterwards every call rejects, and nothing is sent.
 */
export interface Db {
  query<Row extends object = Record<string, unknown>>(
    statement: Statement,
    values?: readonly unknown[],
  ): Promise<Row[]>;
  /**
   * Sends a statement whose answer the work does not wait for: it is sent in one write with the COMMIT, and when it
   * fails, so does the transaction. For the last writes of a service.
   */
  defer<Row extends object = Record<string, unknown>>(
    statement: Statement,
    values?: readonly unknown[],
  ): Promise<Row[]>;
  /** Calls `work` after the commit, when others can see what was written. */
  afterCommit(work: () => void): void;
  readonly prisma: ScopedPrisma;
  /** The advisory locks of the transaction; `lock` and `tryLock` (lib/db/locks.ts) take them. */
  readonly locks: Locks;
}

/** The handle of a transaction, or of an attempt inside one. */
export class Transaction implements Db {
  readonly deferred: Promise<unknown>[] = [];
  readonly locks: Locks;
  private readonly committed: (() => void)[] = [];
  private readonly client: pg.PoolClient;
  private readonly work: Work;
  private readonly workspaceId: string | null;
  private opened: ScopedPrisma | undefined;
  /** the error of a deferred statement, which the work does not wait for */
  private failure: unknown;
  private readonly errors = new FirstError();

  constructor(client: pg.PoolClient, work: Work, workspaceId: string | null, locks: Locks) {
    this.client = client;
    this.work = work;
    this.workspaceId = workspaceId;
    this.locks = locks;
  }

  query<Row extends object>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    return this.work.during(statement, () => this.send<Row>(statement, values));
  }

  defer<Row extends object>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const inTime = !this.work.isOver;
    this.locks.write();
    const answer = this.inTime<Row>(statement, values);
    answer.catch((error: unknown) => {
      if (inTime) this.failure ??= error;
    });
    if (inTime) this.deferred.push(answer); // a refused call is not part of the transaction, which may be committing
    return answer;
  }

  afterCommit(work: () => void): void {
    this.work.refuseLate("what is done after the commit");
    this.committed.push(work);
  }

  get prisma(): ScopedPrisma {
    this.work.refuseLate("prisma");
    const { work, client: connection, workspaceId } = this;
    this.opened ??= prismaOf({ work, connection, workspaceId, failed: (error) => this.errors.note(error) });
    return this.opened;
  }

  /** Runs the work with this handle and waits for everything that it began. */
  run<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return this.work.run(() => work(this));
  }

  /**
   * Runs `work` under a savepoint, with a separate handle, so that only its own writes are undone when it throws; its
   * callbacks for after the commit are then dropped too. Its deferred statements are awaited at its end.
   */
  attempt<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return this.work.during("an attempt", async () => {
      const inner = new Transaction(this.client, this.work.part(), this.workspaceId, this.locks.part());
      const { savepoint, undo } = nextSavepoint();
      const begun = this.send(savepoint, []);
      begun.catch(() => undefined); // its failure also fails what follows
      try {
        const result = await inner.run(work);
        await together([begun, ...inner.deferred]);
        this.committed.push(...inner.committed);
        this.locks.join(inner.locks);
        return result;
      } catch (error) {
        // Answered after all earlier statements. It fails when the savepoint was never made: then the transaction has
        // failed already, and stays so.
        await this.send(undo, []).catch(() => undefined);
        throw inner.causeOf(error);
      }
    });
  }

  /** Runs the callbacks for after the commit. */
  tellCommitted(): void {
    for (const work of this.committed) work();
  }

  /** The cause of a failure, given the error that the work threw. */
  causeOf(thrown: unknown): unknown {
    if (this.locks.failed) return this.locks.failed;
    return this.errors.causeOf(this.failure ?? thrown);
  }

  private async inTime<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    this.work.refuseLate(statement);
    return this.send<Row>(statement, values);
  }

  private async send<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    flushTogether(this.client);
    try {
      return (await this.client.query<Row>(queryOf(statement, values, this.workspaceId))).rows;
    } catch (error) {
      this.errors.note(error);
      throw error;
    }
  }
}

let savepoints = 0;

/** A savepoint with a unique name: rolling back to one that was not made must never find another. */
function nextSavepoint(): { savepoint: Statement; undo: Statement } {
  savepoints++;
  const name = `attempt_${savepoints}`;
  return {
    savepoint: { name: "", text: `SAVEPOINT ${name}` },
    undo: { name: "", text: `ROLLBACK TO SAVEPOINT ${name}` },
  };
}

/** Runs `work` in the transaction of `db` so that only it is undone when it throws; see `Transaction.attempt`. */
export function attempt<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  if (!(db instanceof Transaction)) return Promise.reject(new Error("what only reads has nothing to undo"));
  return db.attempt(work);
}
