import type { Socket } from "node:net";
import type pg from "pg";
import type { Statement } from "#lib/core/context.ts";
import { destroyed, tooLate } from "./alarms.ts";
import { getPool } from "./pool.ts";
import { calledInLog } from "./statement.ts";

/** The call's name in the log. */
type LeaseCall = string | Statement;

/**
 * One piece of work and its pending calls. Once it has ended it begins nothing more, and its connection goes to others
 * only when everything it began has been answered.
 */
export class Work {
  readonly operation: string;
  private readonly whole: Work | null;
  private ended = false;
  private underWay = 0;
  private drained: (() => void) | null = null;

  constructor(operation: string, whole: Work | null = null) {
    this.operation = operation;
    this.whole = whole;
  }

  /** A part of the work, which ends with it at the latest. */
  part(): Work {
    return new Work(this.operation, this);
  }

  /** True once nothing more may begin. */
  get isOver(): boolean {
    return this.ended || this.whole?.isOver === true;
  }

  /** Throws when the work has ended. */
  refuseLate(asked: LeaseCall): void {
    if (this.isOver) throw tooLate(this.operation, typeof asked === "string" ? asked : calledInLog(asked));
  }

  /** Announces a call; `answered` must follow. Throws when the work has ended. */
  asking(asked: LeaseCall): void {
    this.refuseLate(asked);
    this.underWay++;
  }

  /** The call that `asking` announced is answered. */
  answered(): void {
    if (--this.underWay === 0) this.drained?.();
  }

  /** Runs `ask` as a part of the work; rejects, without running it, when the work has ended. */
  async during<T>(asked: LeaseCall, ask: () => Promise<T>): Promise<T> {
    this.asking(asked);
    try {
      return await ask();
    } finally {
      this.answered();
    }
  }

  /** Runs the work itself, and waits for everything that it began. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      await this.end();
    }
  }

  /** Refuses all further calls, and resolves when all pending ones have been answered. */
  private async end(): Promise<void> {
    this.ended = true;
    if (this.underWay > 0)
      await new Promise<void>((resolve) => {
        this.drained = resolve;
      });
  }
}

/** pg's state of a connection: statements that wait for an answer, and the socket they are sent on. */
type Internals = {
  connection: { stream: Socket };
  _activeQuery: unknown;
  _sentQueryQueue: readonly unknown[];
  _queryQueue: readonly unknown[];
  getTransactionStatus(): string | null;
};
const internals = (client: pg.PoolClient) => client as unknown as Internals;

/** Postgres' status of a connection that is in no transaction. */
const IDLE = "I";

/** True when the connection's last answer reported that it is in no transaction. */
export const isOutsideTransaction = (client: pg.PoolClient): boolean =>
  internals(client).getTransactionStatus() === IDLE;

/** Why a connection must not go from one piece of work to another; null when it is clean. */
function soiled(client: pg.PoolClient): string | null {
  const { _activeQuery, _sentQueryQueue, _queryQueue } = internals(client);
  if (_activeQuery || _sentQueryQueue.length > 0 || _queryQueue.length > 0) return "a statement waits for its answer";
  return isOutsideTransaction(client) ? null : "a transaction is open on it";
}

/** A clean connection of a pool: the app's, unless another is given. Give it back with `giveBack`, once. */
export async function borrow(operation: string, from: () => Promise<pg.Pool> = getPool): Promise<pg.PoolClient> {
  const pool = await from();
  for (;;) {
    const client = await pool.connect();
    const why = soiled(client);
    if (why === null) return client;
    destroyed(operation, why);
    client.release(true);
  }
}

/** Gives a connection back; one that failed, or is not clean, is closed instead. */
export function giveBack(client: pg.PoolClient, operation: string, failed: boolean): void {
  const why = failed ? null : soiled(client);
  if (why !== null) destroyed(operation, why);
  client.release(failed || why !== null);
}

/**
 * Sends all queries of this turn of the event loop (BEGIN and the first statements, say) in one write to the socket.
 */
export function flushTogether(client: pg.PoolClient): void {
  const { stream } = internals(client).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  setImmediate(() => stream.uncork());
}
