import { together } from "#lib/core/together.ts";
import { contended } from "#lib/core/unavailable.ts";
import type { Db } from "./handle.ts";
import {
  type ConnectionLock,
  classes,
  LOCKS,
  type LockNames,
  Overtaken,
  ordered,
  type TransactionLock,
} from "./lock-order.ts";
import { sql } from "./statement.ts";

/** SQL for the 64-bit key of a lock; `name` is the SQL expression of its name. */
export const lockKeyOf = (lock: keyof typeof LOCKS, name: string): string =>
  `hashtextextended(${LOCKS[lock].within === "workspace" ? `$workspace::text || ${name}` : name}, ${LOCKS[lock].seed})`;

// No statement below reads a table. Where tenants are spread over several machines a statement with tables runs on the
// machine of its rows and one without on the coordinator, and each machine has its own locks: taken in both places, the
// same key would be granted twice.

const statementsOf = (lock: TransactionLock) => ({
  wait: sql(
    `lock_${lock}`,
    `SELECT pg_advisory_xact_lock(${lockKeyOf(lock, "name")}) FROM (SELECT name FROM unnest($1::text[]) WITH ORDINALITY AS n(name, place) ORDER BY place) AS names`,
  ),
  try: sql(
    `lock_${lock}_try`,
    `SELECT bool_and(locked) AS locked FROM (SELECT pg_try_advisory_xact_lock(${lockKeyOf(lock, "name")}) AS locked FROM unnest($1::text[]) AS n(name)) AS tried`,
  ),
});

const statements = Object.fromEntries(classes.map((lock) => [lock, statementsOf(lock)])) as Record<
  TransactionLock,
  ReturnType<typeof statementsOf>
>;

/**
 * Takes the locks of these names until the transaction ends. A class of one lock in its workspace needs no name. A statement
 * issued after this one, even without awaiting it, sees everything that the previous holder committed.
 *
 * Everyone waits in one order, that of `LOCKS` and of the names in each class, and then for rows, so that no two wait for each
 * other. What is needed out of order is not waited for: when another transaction holds it, this one starts again (`Overtaken`), and takes
 * everything that it asked for at its beginning, in order.
 */
export async function lock(db: Db, of: TransactionLock, names: readonly string[] = [""]): Promise<void> {
  if (!ordered.includes(of)) return wait(db, of, names);
  const missing = db.locks.missing(of, names);
  if (missing.length === 0) return;
  db.locks.ask(of, missing);
  if (db.locks.inOrder(of, missing)) {
    db.locks.take(of, missing);
    return wait(db, of, missing);
  }
  const [row] = await db.query<{ locked: boolean }>(statements[of].try, [missing]);
  if (row?.locked !== true) beginAgain(db, `a lock of the class ${of} is needed late`);
  db.locks.take(of, missing);
}

/** Gives up what this transaction did, to begin again with all locks that it asked for. */
export function beginAgain(db: Db, why: string): never {
  throw db.locks.fail(new Overtaken(why));
}

async function wait(db: Db, of: TransactionLock, names: readonly string[]): Promise<void> {
  try {
    await db.query(statements[of].wait, [names]);
  } catch (error) {
    if (TIMED_OUT.includes((error as { code?: unknown }).code)) throw db.locks.fail(contended());
    throw error;
  }
}

/** lock_not_available, and query_canceled: each of several locks in time, and all of them not */
const TIMED_OUT: readonly unknown[] = ["55P03", "57014"];

/** As `lock`, for one name and without waiting: false while another transaction holds it. */
export async function tryLock(db: Db, of: TransactionLock, name = ""): Promise<boolean> {
  if (db.locks.holds(of, name)) return true;
  const [row] = await db.query<{ locked: boolean }>(statements[of].try, [[name]]);
  if (row?.locked !== true) return false;
  db.locks.take(of, [name]);
  return true;
}

/** Begins a transaction with the locks that its work asked for in an earlier attempt. */
export async function lockAgain(db: Db, asked: LockNames): Promise<void> {
  await together(ordered.map((of) => lock(db, of, [...(asked.get(of) ?? [])])));
}

/** True when the transaction holds these locks. */
export const holdsLocks = (db: Db, of: TransactionLock, names: readonly string[]): boolean =>
  db.locks.missing(of, names).length === 0;

/** Waits for a lock that the connection holds until it ends. */
export async function lockConnection(
  client: { query(text: string, values: unknown[]): Promise<unknown> },
  of: ConnectionLock,
  name = "",
): Promise<void> {
  await client.query(`SELECT pg_advisory_lock(${lockKeyOf(of, "$1::text")})`, [name]);
}

type Connection = { query<R>(text: string, values: unknown[]): Promise<{ rows: R[] }> };

/** As `lockConnection`, without waiting: false while another connection holds it. */
export async function tryLockConnection(client: Connection, of: ConnectionLock, name: string): Promise<boolean> {
  const text = `SELECT pg_try_advisory_lock(${lockKeyOf(of, "$1::text")}) AS locked`;
  return (await client.query<{ locked: boolean }>(text, [name])).rows[0]?.locked === true;
}

/** Gives back a lock that this connection holds. */
export async function unlockConnection(client: Connection, of: ConnectionLock, name: string): Promise<void> {
  await client.query(`SELECT pg_advisory_unlock(${lockKeyOf(of, "$1::text")})`, [name]);
}
