import type pg from "pg";
import type { Statement } from "#lib/core/context.ts";
import type { WorkspaceId } from "#lib/core/ids.ts";
import { answeredByReplica, reached } from "#lib/core/position.ts";
import { tooLate } from "./alarms.ts";
import { begin, commit, opening, requireUuid, rollback, WORKSPACE } from "./boundaries.ts";
import type { Db } from "./handle.ts";
import { borrow, giveBack, Work } from "./lease.ts";
import { isDistributed } from "./pool.ts";
import { prismaOf } from "./prisma.ts";
import type { ScopedPrisma } from "./prisma-scope.ts";
import { Behind, getReplica, hasReplica, neededOfReplica, noteAway, requireReplayed } from "./replica.ts";
import { type Addressee, readScoped } from "./scoped-query.ts";
import { type BoundQuery, calledInLog, queryOf } from "./statement.ts";

/**
 * Work that only reads. Its queries of one turn of the event loop are sent as one group. Prisma cannot set the
 * workspace that way, so its first use opens a transaction for everything that follows. `mayLag`: a replica may answer,
 * if it has all that the caller of the running request has seen; if not, or if it fails, the work is run again on the
 * primary.
 */
export async function reading<T>(
  workspaceId: WorkspaceId,
  operation: string,
  work: (db: Db) => Promise<T>,
  mayLag = false,
): Promise<T> {
  const needed = mayLag ? neededOfReplica() : null;
  if (needed !== null) {
    const answer = await fromReplica(workspaceId, operation, work, needed);
    if (answer) return answer.result;
  }
  const client = await borrow(operation);
  return within(new Reader(client, new Work(operation), workspaceId), work, client, operation);
}

/** The result of the work on the replica; null when the primary has to answer. */
async function fromReplica<T>(
  workspaceId: WorkspaceId,
  operation: string,
  work: (db: Db) => Promise<T>,
  needed: bigint,
): Promise<{ result: T } | null> {
  let client: pg.PoolClient;
  try {
    client = await borrow(operation, getReplica);
  } catch {
    noteAway();
    return null;
  }
  const reader = new Reader(client, new Work(operation), workspaceId, needed);
  try {
    const result = await within(reader, work, client, operation);
    if (reader.why) return null; // the work caught the failure, so its result may be incomplete
    answeredByReplica();
    return { result };
  } catch (error) {
    if (reader.why === null) throw error;
    if (!(reader.why instanceof Behind)) noteAway();
    return null;
  }
}

async function within<T>(
  reader: Reader,
  work: (db: Db) => Promise<T>,
  client: pg.PoolClient,
  operation: string,
): Promise<T> {
  try {
    const result = await work(reader);
    if (reader.refuseMore()) await reader.end(true);
    return result;
  } catch (error) {
    reader.refuseMore();
    await reader.end(false);
    throw error;
  } finally {
    giveBack(client, operation, reader.isBroken);
  }
}

type Asked = {
  statement: Statement;
  bound: BoundQuery;
  resolve(rows: object[]): void;
  reject(error: unknown): void;
};

class Reader implements Db {
  /** True when the connection can no longer be used. */
  isBroken = false;
  /** Why the replica could not answer; null: it answered everything. */
  why: unknown = null;
  private readonly client: pg.PoolClient;
  private readonly work: Work;
  private readonly workspaceId: WorkspaceId;
  private readonly to: Addressee;
  /** the position a replica must have reached; null: this reads on the primary */
  private readonly needed: bigint | null;
  private gathered: Asked[] = [];
  private begun: Promise<unknown> | undefined;
  private opened: ScopedPrisma | undefined;

  constructor(client: pg.PoolClient, work: Work, workspaceId: WorkspaceId, needed: bigint | null = null) {
    this.client = client;
    this.work = work;
    this.workspaceId = requireUuid(workspaceId);
    this.needed = needed;
    const placed =
      needed === null ? (hasReplica() ? reached : null) : (at: bigint | null) => requireReplayed(at, needed);
    const { operation } = work;
    this.to = { client, operation, workspaceId, isDistributed: needed === null && isDistributed(), placed };
  }

  query<Row extends object>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    if (this.begun)
      return this.work.during(statement, async () => {
        const bound = queryOf(statement, values, this.workspaceId);
        return (await this.client.query<Row>(bound)).rows;
      });
    const answer = new Promise<Row[]>((resolve, reject) => {
      this.work.refuseLate(statement); // rejects
      const bound = queryOf(statement, values, this.workspaceId);
      if (this.gathered.length === 0) process.nextTick(() => this.send());
      this.gathered.push({ statement, bound, resolve: resolve as (rows: object[]) => void, reject });
    });
    answer.catch(() => undefined); // a failed group rejects each of its queries, also those no one awaits
    return answer;
  }

  defer(): Promise<never> {
    return Promise.reject(new Error("what only reads has nothing to commit"));
  }

  afterCommit(): never {
    throw new Error("what only reads has nothing to commit");
  }

  get locks(): never {
    throw new Error("what only reads takes no locks");
  }

  get prisma(): ScopedPrisma {
    this.work.refuseLate("prisma");
    if (this.needed !== null) {
      this.why = new Behind("Prisma does not ask a replica how far it has come");
      throw this.why;
    }
    this.send();
    this.begun ??= begin(this.client, opening({ [WORKSPACE]: this.workspaceId }, true));
    this.begun.catch(() => undefined); // its failure also fails the later statements, and is reported at the end
    const { work, client: connection, workspaceId } = this;
    this.opened ??= prismaOf({ work, connection, workspaceId });
    return this.opened;
  }

  /** Refuses all further queries, and rejects those that were not sent. True when there is something left to `end`. */
  refuseMore(): boolean {
    this.work.close();
    const unsent = this.gathered;
    if (unsent.length > 0) {
      this.gathered = [];
      for (const { statement, reject } of unsent) reject(tooLate(this.work.operation, calledInLog(statement)));
    }
    return this.work.isBusy || this.begun !== undefined;
  }

  /** Waits until all is answered, and ends the transaction if one was begun. Safe to call twice. */
  async end(succeeded: boolean): Promise<void> {
    if (this.work.isBusy) await this.work.end();
    const { client, begun, workspaceId } = this;
    if (!begun) return;
    if (succeeded)
      await commit({ client, operation: this.work.operation, begun, settings: { [WORKSPACE]: workspaceId } });
    else if (!(await rollback(client))) this.isBroken = true;
  }

  private send(): void {
    const group = this.gathered;
    this.gathered = [];
    if (group.length === 0) return;
    this.work.asking("a group"); // no more queries are gathered when the work has ended
    const queries = group.map(({ bound }) => bound);
    readScoped(this.to, queries).then(
      (answers) => {
        this.work.answered();
        for (const [place, { resolve }] of group.entries()) resolve(answers[place] as object[]);
      },
      (error: unknown) => {
        this.work.answered();
        // A replica that is behind still answered correctly; an earlier failure stays recorded.
        if (!(error instanceof Behind)) this.isBroken = true;
        this.why ??= error;
        for (const { reject } of group) reject(error);
      },
    );
  }
}
