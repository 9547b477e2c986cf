import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { WorkspaceId } from "#lib/core/ids.ts";
import { log } from "#lib/core/log.ts";
import { contended } from "#lib/core/unavailable.ts";
import { CrossedWorkspace } from "./alarms.ts";
import { begin, commit, opening, rollback, type Settings, WORKSPACE } from "./boundaries.ts";
import { requireDiskSpace } from "./disk-space.ts";
import { abilities } from "./distributed/abilities.ts";
import { type Db, Transaction } from "./handle.ts";
import { borrow, flushTogether, giveBack, Work } from "./lease.ts";
import { type LockNames, Locks, Overtaken } from "./lock-order.ts";
import { lockAgain } from "./locks.ts";
import { getPool } from "./pool.ts";
import { reading } from "./reading.ts";

/** `operation`: what the work is called in the log. */
type Options = { operation?: string };

/**
 * The only way to a tenant's rows: a transaction whose `rapport.workspace_id` is set, which row level security reads.
 * Commits when `work` returns, rolls back when it throws. Throws 503 `not_ready` for a write while the disk is full. With `readOnly` each statement is a separate transaction with
 * the setting: at the isolation level we use (read committed) every statement has its own snapshot anyway. With `mayLag`
 * as well, a replica may answer. `plansOnce`: the statements of a transaction keep one plan for all values; for groups of a few
 * rows, for which the planner would plan again each time, and for work over many records of a workspace that the planner may not know yet.
 */
export const withWorkspace = <T>(
  workspaceId: WorkspaceId,
  work: (db: Db) => Promise<T>,
  {
    readOnly = false,
    mayLag = false,
    operation = "a workspace's work",
    plansOnce = false,
  }: Options & { readOnly?: boolean; mayLag?: boolean; plansOnce?: boolean } = {},
): Promise<T> =>
  readOnly
    ? readingOnly(workspaceId, operation, work, mayLag)
    : transact({ operation, settings: { [WORKSPACE]: workspaceId }, plansOnce }, work);

async function readingOnly<T>(
  workspaceId: WorkspaceId,
  operation: string,
  work: (db: Db) => Promise<T>,
  mayLag: boolean,
): Promise<T> {
  await getPool(); // by now it is known what the database can do
  if (abilities().readsInGroups) return reading(workspaceId, operation, work, mayLag);
  return transact({ operation, settings: { [WORKSPACE]: workspaceId }, readOnly: true }, work);
}

/** A transaction that sees only rows that belong to no tenant: users, sessions, workspaces. */
export const withoutWorkspace = <T>(
  work: (db: Db) => Promise<T>,
  { operation = "work without a workspace" }: Options = {},
): Promise<T> => transact({ operation, settings: {} }, work);

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
  return transact({ operation: "a look-up by proof", settings, readOnly: true }, work);
};

/** Workspace deletion and erasure of a person: the only work the append-only tables let delete. */
export const withErasure = <T>(
  workspaceId: WorkspaceId,
  work: (db: Db) => Promise<T>,
  { operation = "an erasure", plansOnce = false }: Options & { plansOnce?: boolean } = {},
): Promise<T> =>
  transact({ operation, settings: { [WORKSPACE]: workspaceId, "rapport.erasing": "on" }, plansOnce }, work);

type Terms = { operation: string; settings: Settings; readOnly?: boolean; plansOnce?: boolean };

const ATTEMPTS = 8;
const PLANS_ONCE = "SET LOCAL plan_cache_mode = 'force_generic_plan'";

/**
 * Work that needs a lock which others hold, and that it must not wait for (`Overtaken`), a deadlock in which the database
 * ended this transaction, or a row that another transaction deleted after this one had read it: nothing was written, so
 * the work is run again on the current data. It then begins with all locks that it asked for before, which it waits for in
 * their order: what it lost to has ended by then, and cannot come again.
 */
async function transact<T>(terms: Terms, work: (db: Db) => Promise<T>): Promise<T> {
  if (!terms.readOnly && terms.settings[WORKSPACE] !== undefined) requireDiskSpace();
  const asked: LockNames = new Map();
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransaction(terms, work, asked);
    } catch (error) {
      if (!wasOvertaken(error)) throw error;
      if (attempt === ATTEMPTS) {
        log.warn({ operation: terms.operation, attempt, err: error }, "overtaken every time");
        throw isForeignKey(error) ? error : contended();
      }
      log.debug({ operation: terms.operation, attempt, reason: (error as Error).message }, "overtaken, begins again");
      if (!(error instanceof Overtaken)) await sleep(Math.random() * 5 * 2 ** attempt); // with equal pauses the two would collide again
    }
  }
}

/** deadlock_detected, serialization_failure, foreign_key_violation */
const OVERTAKEN: readonly (string | undefined)[] = ["40P01", "40001", "23503"];

const wasOvertaken = (error: unknown): boolean =>
  error instanceof Overtaken || (error instanceof pg.DatabaseError && OVERTAKEN.includes(error.code));

/** Callers are told as of any other contention (`asFault`); who catches it sees which key it was. */
const isForeignKey = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === "23503";

/**
 * A transaction. Its handle ends with the work: pending statements are awaited, and only then COMMIT or ROLLBACK is
 * sent.
 */
async function inTransaction<T>(
  { operation, settings, readOnly = false, plansOnce = false }: Terms,
  work: (db: Db) => Promise<T>,
  asked: LockNames = new Map(),
): Promise<T> {
  const statements = opening(settings, readOnly); // refuses values that are not plain ids
  const client = await borrow(operation);
  if (plansOnce && abilities().plansOnce) statements.push(PLANS_ONCE); // with a connection it is known what the database can do
  let usable = true;
  try {
    flushTogether(client);
    const begun = begin(client, statements);
    begun.catch(() => undefined); // its failure is reported with the COMMIT at the latest
    // After a cancelled BEGIN each statement would commit by itself. Without its workspace none about a tenant
    // can; one about users could.
    if (settings[WORKSPACE] === undefined && !readOnly) await begun;
    const locks = new Locks(asked);
    const transaction = new Transaction(client, new Work(operation), settings[WORKSPACE] ?? null, locks);
    try {
      const result = await transaction.run(asked.size === 0 ? work : (db) => lockAgain(db, asked).then(() => work(db)));
      if (locks.failed) throw locks.failed; // caught by the work
      await commit({ client, operation, begun, settings, deferred: transaction.deferred });
      transaction.tellCommitted();
      return result;
    } catch (error) {
      usable = await rollback(client);
      if (error instanceof CrossedWorkspace) usable = false;
      throw transaction.causeOf(error);
    }
  } finally {
    giveBack(client, operation, !usable);
  }
}

/** True for a violated unique constraint or index, optionally of that name. */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean =>
  error instanceof pg.DatabaseError &&
  error.code === "23505" &&
  (constraint === undefined || error.constraint === constraint);

/** True when the database cannot hold a value: a text that it cannot read, or one too long for an index (classes 22 and 54). */
export const isUnstorable = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && /^(22|54)/.test(error.code ?? "");

/** Classes 08 and 57: the connection or the server went away, perhaps after the commit. */
const LOST = /^(08|57)/;

/** True when the database refused a statement, so that its transaction certainly wrote nothing. */
export const isRefusal = (error: unknown): boolean => error instanceof pg.DatabaseError && !LOST.test(error.code ?? "");
