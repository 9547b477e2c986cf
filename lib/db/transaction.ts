import type { Socket } from "node:net";
import pg from "pg";
import type { Statement } from "#lib/core/context.ts";
import { isUuid, type WorkspaceId } from "#lib/core/ids.ts";
import type { PrismaClient } from "#prisma/generated/client.ts";
import { getPool } from "./pool.ts";
import { prismaOn } from "./prisma.ts";
import { readScoped, type Wanted } from "./scoped-query.ts";

/**
 * One connection inside one transaction. `query` runs a prepared statement; `prisma` runs on the same connection and in
 * the same transaction. Calls may be issued without awaiting each other: they are pipelined in order.
 */
export type Db = {
  query<Row extends object = Record<string, unknown>>(
    statement: Statement,
    values?: readonly unknown[],
  ): Promise<Row[]>;
  /**
   * Sends a statement whose answer the work does not wait for: it leaves in one write with the COMMIT, and when it
   * fails, so does the transaction. For the last writes of a service.
   */
  defer<Row extends object = Record<string, unknown>>(
    statement: Statement,
    values?: readonly unknown[],
  ): Promise<Row[]>;
  /** Calls `work` after the commit, when others can see what was written. */
  afterCommit(work: () => void): void;
  readonly prisma: PrismaClient;
};

/**
 * Declares a prepared statement; `name` is unique in the process. An empty name is planned anew each time, for a
 * condition (a search pattern) whose best plan depends on its value.
 */
export const sql = (name: string, text: string): Statement => ({ name, text });

/** A statement over rows that are given as arrays: one form for a single row, one for many. */
export type RowsStatement = { readonly one: Statement; readonly many: Statement };

/**
 * Declares a statement over rows given as arrays; `text` puts its argument after the subquery that unnests them. The
 * planner thinks an array it cannot see holds ten rows, so its plan for any array looks dearer than one made for the array
 * at hand, and it plans anew at each call, which for a single row costs more than running it. Told of one row it does not.
 */
export const sqlOfRows = (name: string, text: (limit: string) => string): RowsStatement =>
  inForms(name, text("LIMIT 1"), text(""));

/**
 * Declares a statement about those whose ids are its first parameter; `these` follows the column. One form is for a single
 * id, one for many, for the reason that `sqlOfRows` gives.
 */
export const sqlOfIds = (name: string, text: (these: string) => string): RowsStatement =>
  inForms(name, text("= ($1::uuid[])[1]"), text("= ANY($1::uuid[])"));

const inForms = (name: string, one: string, many: string): RowsStatement => ({
  one: sql(`${name}_one`, one),
  many: sql(name, many),
});

/** The form for so many rows. */
export const formFor = ({ one, many }: RowsStatement, rows: number): Statement => (rows === 1 ? one : many);

type Settings = Readonly<Record<string, string>>;

/**
 * The only way to a tenant's rows: a transaction whose `rapport.workspace_id` is set, which row level security reads.
 * Commits when `work` returns, rolls back when it throws. With `readOnly` each statement is a transaction of its own that
 * carries the setting: at the isolation level we use (read committed) every statement has its own snapshot anyway.
 */
export const withWorkspace = <T>(
  workspaceId: WorkspaceId,
  work: (db: Db) => Promise<T>,
  options: { readOnly?: boolean } = {},
): Promise<T> =>
  options.readOnly
    ? reading(workspaceId, work)
    : withRetry(() => inTransaction({ "rapport.workspace_id": workspaceId }, work, false));

/** A transaction that sees only rows that belong to no tenant: users, sessions, workspaces. */
export const withoutWorkspace = <T>(work: (db: Db) => Promise<T>): Promise<T> => inTransaction({}, work, false);

/** Read the one tenant row whose secret or user the caller has already proven, before its workspace is known. */
export const withProof = <T>(
  proof: { keyHash: Buffer } | { tokenHash: Buffer } | { userId: string },
  work: (db: Db) => Promise<T>,
): Promise<T> => {
  const settings: Settings =
    "keyHash" in proof
      ? { "rapport.key_hash": proof.keyHash.toString("hex") }
      : "tokenHash" in proof
        ? { "rapport.token_hash": proof.tokenHash.toString("hex") }
        : { "rapport.user_id": proof.userId };
  return inTransaction(settings, work, true);
};

/** Workspace deletion and erasure of a person: the only work the append-only tables let delete. */
export const withErasure = <T>(workspaceId: WorkspaceId, work: (db: Db) => Promise<T>): Promise<T> =>
  inTransaction({ "rapport.workspace_id": workspaceId, "rapport.erasing": "on" }, work, false);

/**
 * What a `Db` is made of. The getter stands in a class: one in a literal gives each object a shape of its own, which only a
 * full garbage collection takes away.
 */
class Handle {
  private readonly open: () => PrismaClient;

  constructor(open: () => PrismaClient) {
    this.open = open;
  }

  get prisma(): PrismaClient {
    return this.open();
  }
}

const ATTEMPTS = 3;

/** Two transactions that waited for each other: the database ended one, which wrote nothing, so it is run again. */
async function withRetry<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      const code = error instanceof pg.DatabaseError ? error.code : undefined;
      if (attempt === ATTEMPTS || !(code === "40P01" || code === "40001")) throw error;
    }
  }
}

/**
 * Work that only reads. What it asks for in one turn of the event loop goes out as one group. Prisma cannot carry the
 * setting, so its first use opens a transaction for all that follows.
 */
async function reading<T>(workspaceId: WorkspaceId, work: (db: Db) => Promise<T>): Promise<T> {
  const begin = opening({ "rapport.workspace_id": workspaceId }, true); // refuses what is no uuid
  const client = await (await getPool()).connect();
  let begun: Promise<unknown> | undefined;
  let broken = false;
  let gathered: (Wanted & { resolve(rows: object[]): void; reject(error: unknown): void })[] = [];
  const send = () => {
    const group = gathered;
    gathered = [];
    if (group.length === 0) return;
    readScoped(client, workspaceId, group).then(
      (answers) => {
        for (const [place, { resolve }] of group.entries()) resolve(answers[place] as object[]);
      },
      (error: unknown) => {
        broken = true;
        for (const { reject } of group) reject(error);
      },
    );
  };
  const prisma = () => {
    send();
    begun ??= client.query(begin);
    begun.catch(() => undefined);
    return prismaOn(client);
  };
  const db: Db = Object.assign(new Handle(prisma), {
    query: <Row extends object>(statement: Statement, values: readonly unknown[] = []) => {
      if (begun) return client.query<Row>(statementOf(statement, values)).then(({ rows }) => rows);
      const answer = new Promise<Row[]>((resolve, reject) => {
        if (gathered.length === 0) process.nextTick(send);
        gathered.push({ statement, values, resolve: resolve as (rows: object[]) => void, reject });
      });
      answer.catch(() => undefined); // the group's fault reaches those who wait for it; nobody may be left who does
      return answer;
    },
    defer: refuseWrite,
    afterCommit: refuseWrite,
  });
  try {
    return await work(db);
  } finally {
    if (begun)
      client.query("COMMIT").then(
        () => client.release(broken),
        (error) => client.release(error),
      );
    else client.release(broken);
  }
}

function refuseWrite(): never {
  throw new Error("what only reads has nothing to commit");
}

/** What a transaction still has to hear of and to do when it commits. */
type Pending = {
  deferred: Promise<unknown>[];
  committed: (() => void)[];
  /** of a deferred statement: nobody else waits for it */
  failure: unknown;
  /** the error that aborted it; what was sent after that statement only says that it is aborted */
  first: unknown;
};

/** Why the work failed, given what it threw. */
function causeOf({ failure, first }: Pending, thrown: unknown): unknown {
  const cause = failure ?? thrown;
  return cause instanceof pg.DatabaseError && cause.code === ABORTED ? (first ?? cause) : cause;
}

/** in_failed_sql_transaction */
const ABORTED = "25P02";

const pendings = new WeakMap<Db, Pending>();

async function inTransaction<T>(settings: Settings, work: (db: Db) => Promise<T>, readOnly: boolean): Promise<T> {
  const begin = opening(settings, readOnly);
  const client = await (await getPool()).connect();
  flushTogether(client);
  const started = client.query(begin);
  started.catch(() => undefined); // its failure also fails every later query of the transaction
  const pending: Pending = { deferred: [], committed: [], failure: undefined, first: undefined };
  const db: Db = Object.assign(new Handle(() => prismaOn(client)), {
    defer<Row extends object>(statement: Statement, values: readonly unknown[] = []) {
      const answer = db.query<Row>(statement, values);
      // What follows it in the transaction fails as well, with a less telling error.
      answer.catch((error: unknown) => {
        pending.failure ??= error;
      });
      pending.deferred.push(answer);
      return answer;
    },
    afterCommit: (work: () => void) => void pending.committed.push(work),
    async query<Row extends object>(statement: Statement, values: readonly unknown[] = []) {
      flushTogether(client);
      try {
        return (await client.query<Row>(statementOf(statement, values))).rows;
      } catch (error) {
        pending.first ??= error;
        throw error;
      }
    },
  });
  pendings.set(db, pending);
  try {
    const result = await work(db);
    if (readOnly) {
      client.query("COMMIT").then(
        () => client.release(),
        (error) => client.release(error),
      );
      return result;
    }
    const [commit] = await Promise.all([client.query("COMMIT"), ...pending.deferred]);
    // Postgres answers a COMMIT of a failed transaction with ROLLBACK: then nothing was written, and that is a fault.
    if (commit.command !== "COMMIT") throw new Error("the transaction was rolled back by the database");
    client.release();
    for (const work of pending.committed) work();
    return result;
  } catch (error) {
    await client.query("ROLLBACK").then(
      () => client.release(),
      (broken) => client.release(broken),
    );
    throw causeOf(pending, error);
  }
}

const statementOf = ({ name, text }: Statement, values: readonly unknown[]): pg.QueryConfig => ({
  ...(name === "" ? {} : { name }),
  text,
  values: values as unknown[],
});

const begun = sql("attempt_begin", "SAVEPOINT attempt");
const undone = sql("attempt_undo", "ROLLBACK TO SAVEPOINT attempt");

/**
 * Runs `work` in the transaction so that what it wrote is undone when it throws, and nothing else is. What it deferred is
 * waited for, and what it wanted done after the commit is forgotten with it.
 */
export async function attempt<T>(db: Db, work: () => Promise<T>): Promise<T> {
  const pending = pendings.get(db) ?? { deferred: [], committed: [], failure: undefined, first: undefined };
  const { failure, first } = pending;
  const [deferred, committed] = [pending.deferred.length, pending.committed.length];
  const started = db.query(begun);
  try {
    const [, result] = await Promise.all([started, work()]);
    await Promise.all(pending.deferred.slice(deferred));
    return result;
  } catch (error) {
    await db.query(undone); // answered after all that was sent before it
    const cause = causeOf(pending, error);
    pending.deferred.length = deferred;
    pending.committed.length = committed;
    Object.assign(pending, { failure, first });
    throw cause;
  }
}

/** Sends what is queried in this turn of the event loop (BEGIN and the first statements, say) in one write to the socket. */
function flushTogether(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  setImmediate(() => stream.uncork());
}

/** One simple query: BEGIN and the transaction's settings. Values are uuids or hex by construction; anything else is refused. */
function opening(settings: Settings, readOnly: boolean): string {
  let text = readOnly ? "BEGIN READ ONLY" : "BEGIN";
  for (const [name, value] of Object.entries(settings)) {
    if (!(isUuid(value) || /^[0-9a-f]{64}$/.test(value) || value === "on"))
      throw new Error(`${name} is not a plain id`);
    text += `; SET LOCAL ${name} = '${value}'`;
  }
  return text;
}

/** True for a violated unique constraint or index, optionally of that name. */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean =>
  error instanceof pg.DatabaseError &&
  error.code === "23505" &&
  (constraint === undefined || error.constraint === constraint);

/** Classes 08 and 57: the connection or the server went away, perhaps after the commit. */
const LOST = /^(08|57)/;

/** True when the database refused a statement, so that its transaction wrote nothing for certain. */
export const isRefusal = (error: unknown): boolean => error instanceof pg.DatabaseError && !LOST.test(error.code ?? "");
