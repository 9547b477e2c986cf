import type pg from "pg";
import type { Statement } from "#lib/core/context.ts";
import type { WorkspaceId } from "#lib/core/ids.ts";
import { reached } from "#lib/core/position.ts";
import { begin, commit, opening, requireUuid, rollback, WORKSPACE } from "./boundaries.ts";
import { FirstError } from "./first-error.ts";
import type { Db } from "./handle.ts";
import { borrow, giveBack, Work } from "./lease.ts";
import { prismaOf } from "./prisma.ts";
import type { ScopedPrisma } from "./prisma-scope.ts";
import { Behind, fromReplica, hasReplica, type ReplicaRead } from "./replica.ts";
import { type Addressee, readScoped } from "./scoped-query.ts";
import { type BoundQuery, queryOf } from "./statement.ts";

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
  const read = (client: pg.PoolClient, replica: ReplicaRead | null) =>
    new Reader(client, operation, workspaceId, replica).run(work);
  const answer = mayLag ? await fromReplica(operation, read) : null;
  return answer ? answer.result : read(await borrow(operation), null);
}

type PendingQuery = { query: BoundQuery; resolve(rows: object[]): void; reject(error: unknown): void };

class Reader implements Db {
  private readonly work: Work;
  private readonly to: Addressee;
  /** null: this reads on the primary */
  private readonly replica: ReplicaRead | null;
  private gathered: PendingQuery[] = [];
  private begun: Promise<unknown> | undefined;
  private opened: ScopedPrisma | undefined;
  private readonly errors = new FirstError();
  /** the connection can no longer be used */
  private isBroken = false;

  constructor(client: pg.PoolClient, operation: string, workspaceId: WorkspaceId, replica: ReplicaRead | null) {
    this.work = new Work(operation);
    this.replica = replica;
    const placed = replica ? (at: bigint | null) => replica.placed(at) : hasReplica() ? reached : null;
    this.to = { client, operation, workspaceId: requireUuid(workspaceId), placed };
  }

  /** Runs the work with this handle, waits for everything that it began, and gives the connection back. */
  async run<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const { client, operation, workspaceId } = this.to;
    try {
      const result = await this.work.run(() => work(this));
      const { begun } = this;
      if (begun) await commit({ client, operation, begun, settings: { [WORKSPACE]: workspaceId } });
      return result;
    } catch (error) {
      if (this.begun && !(await rollback(client))) this.isBroken = true;
      throw this.errors.causeOf(error);
    } finally {
      giveBack(client, operation, this.isBroken);
    }
  }

  query<Row extends object>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const bound = () => queryOf(statement, values, this.to.workspaceId);
    if (this.begun) return this.work.during(statement, () => this.ask<Row>(bound()));
    const answer = new Promise<object[]>((resolve, reject) => {
      this.work.refuseLate(statement); // rejects
      const query = bound();
      if (this.gathered.length === 0) process.nextTick(() => this.send());
      this.gathered.push({ query, resolve, reject });
    });
    answer.catch(() => undefined); // a failed group rejects each of its queries, also those no one awaits
    return answer as Promise<Row[]>;
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
    this.replica?.giveUp("Prisma does not ask a replica how far it has come");
    const { work } = this;
    const { client: connection, workspaceId } = this.to;
    this.send();
    this.begun ??= begin(connection, opening({ [WORKSPACE]: workspaceId }, true));
    this.begun.catch(() => undefined); // its failure also fails the later statements, and is reported at the end
    this.opened ??= prismaOf({ work, connection, workspaceId, failed: (error) => this.errors.note(error) });
    return this.opened;
  }

  /** Asks in the transaction that Prisma has begun. */
  private async ask<Row extends object>(query: BoundQuery): Promise<Row[]> {
    try {
      return (await this.to.client.query<Row>(query)).rows;
    } catch (error) {
      this.errors.note(error);
      throw error;
    }
  }

  /** Sends what was gathered, unless the work has ended. */
  private send(): void {
    const group = this.gathered;
    this.gathered = [];
    if (group.length === 0) return;
    const fail = (error: unknown) => {
      for (const { reject } of group) reject(error);
    };
    try {
      this.work.asking("what was gathered");
    } catch (error) {
      fail(error);
      return;
    }
    readScoped(
      this.to,
      group.map(({ query }) => query),
    ).then(
      (answers) => {
        this.work.answered();
        for (const [place, { resolve }] of group.entries()) resolve(answers[place] as object[]);
      },
      (error: unknown) => {
        this.work.answered();
        // A replica that is behind still answered correctly.
        if (!(error instanceof Behind)) this.isBroken = true;
        this.replica?.failed(error);
        fail(error);
      },
    );
  }
}
