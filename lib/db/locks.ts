import { together } from "#lib/core/together.ts";
import type { Db } from "./handle.ts";
import { sql } from "./statement.ts";

/**
 * Every class of advisory lock. `seed` separates the names of one class from those of another; `within` is where a name
 * is unique: in its workspace, or in the database; `until` is what ends the lock.
 */
export const LOCKS = {
  entity: { seed: 0, within: "database", until: "commit", guards: "an entity's evidence, beliefs and row, by its id" },
  identifier: {
    seed: 1,
    within: "workspace",
    until: "commit",
    guards: "an address, domain or URL becoming someone's",
  },
  postings: { seed: 2, within: "workspace", until: "commit", guards: "the postings of the note index" },
  signUp: { seed: 3, within: "database", until: "commit", guards: "who signs up first" },
  connection: { seed: 4, within: "workspace", until: "commit", guards: "connecting and disconnecting a provider" },
  backfill: { seed: 5, within: "workspace", until: "commit", guards: "starting a backfill of everyone" },
  crmSync: { seed: 11, within: "workspace", until: "commit", guards: "starting a run with a CRM, by its name" },
  idempotency: { seed: 7, within: "workspace", until: "commit", guards: "the request of an Idempotency-Key" },
  approvals: {
    seed: 10,
    within: "workspace",
    until: "commit",
    guards: "what a key or connected client, by its id, has waiting for approval",
  },
  exports: {
    seed: 14,
    within: "workspace",
    until: "commit",
    guards: "that an export does not begin to read while a person is being erased",
  },
  importTurn: {
    seed: 15,
    within: "workspace",
    until: "commit",
    guards: "that the batches of an import, by its id and place, commit one after another",
  },
  migration: { seed: 8, within: "database", until: "disconnect", guards: "the schema, one instance at a time" },
  worker: { seed: 9, within: "database", until: "disconnect", guards: "that a pool of workers is alive, by its id" },
  deliveries: {
    seed: 83,
    within: "database",
    until: "disconnect",
    guards: "that one process at a time delivers a workspace's events, by its id",
  },
} as const satisfies Record<string, LockClass>;

type LockClass = {
  seed: number;
  within: "workspace" | "database";
  until: "commit" | "disconnect";
  guards: string;
};

type Until<U extends LockClass["until"]> = {
  [K in keyof typeof LOCKS]: (typeof LOCKS)[K]["until"] extends U ? K : never;
}[keyof typeof LOCKS];

/** A lock that ends with its transaction. */
export type TransactionLock = Until<"commit">;

/** A lock that ends with its connection, which must be a separate one and not from the pool. */
export type ConnectionLock = Until<"disconnect">;

/** SQL for the 64-bit key of a lock; `name` is the SQL expression of its name. */
export const lockKeyOf = (lock: keyof typeof LOCKS, name: string): string =>
  `hashtextextended(${LOCKS[lock].within === "workspace" ? `$workspace::text || ${name}` : name}, ${LOCKS[lock].seed})`;

// No statement below reads a table. Where tenants are spread over several machines a statement with tables runs on the
// machine of its rows and one without on the coordinator, and each machine has its own locks: taken in both places, the
// same key would be granted twice.

const statementsOf = (lock: TransactionLock) => ({
  wait: sql(
    `lock_${lock}`,
    `SELECT pg_advisory_xact_lock(${lockKeyOf(lock, "name")}) FROM (SELECT unnest($1::text[]) AS name ORDER BY 1) AS names`,
  ),
  try: sql(`lock_${lock}_try`, `SELECT pg_try_advisory_xact_lock(${lockKeyOf(lock, "$1::text")}) AS locked`),
});

const statements = Object.fromEntries(
  (Object.keys(LOCKS) as (keyof typeof LOCKS)[])
    .filter((lock): lock is TransactionLock => LOCKS[lock].until === "commit")
    .map((lock) => [lock, statementsOf(lock)]),
) as Record<TransactionLock, ReturnType<typeof statementsOf>>;

/**
 * Waits for the locks of these names, always in the same order, and holds them until the transaction ends. A class of
 * one lock in its workspace needs no name. A statement issued after this one, even without awaiting it, sees everything
 * that the previous holder committed.
 */
export async function lock(db: Db, of: TransactionLock, names: readonly string[] = [""]): Promise<void> {
  if (names.length > 0) await db.query(statements[of].wait, [names]);
}

/** As `lock`, for one name and without waiting: false while another transaction holds it. */
export async function tryLock(db: Db, of: TransactionLock, name = ""): Promise<boolean> {
  const [row] = await db.query<{ locked: boolean }>(statements[of].try, [name]);
  return row?.locked === true;
}

/**
 * Thrown by work that holds locks and needs another one that comes before them in the order: waiting for it could be a
 * deadlock. The transaction is rolled back and run again.
 */
export class Overtaken extends Error {
  override readonly name = "Overtaken";
}

/** Takes locks outside of the usual order, without waiting; throws `Overtaken` when another transaction holds one. */
export async function lockLate(db: Db, of: TransactionLock, names: readonly string[]): Promise<void> {
  const taken = await together(names.map((name) => tryLock(db, of, name)));
  if (taken.includes(false)) throw new Overtaken(`a lock of the class ${of} is needed late`);
}

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
