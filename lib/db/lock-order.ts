/**
 * Every class of advisory lock. Those that end with their transaction are listed in the order in which every transaction
 * waits for them. `seed` separates the names of one class from those of another; `within` is where a name is unique: in
 * its workspace, or in the database; `until` is what ends the lock; `apart`: outside of the order, because who holds it
 * began before who waits for it, and has what they need.
 */
export const LOCKS = {
  signUp: { seed: 3, within: "database", until: "commit", guards: "who signs up first" },
  idempotency: { seed: 7, within: "workspace", until: "commit", guards: "the request of an Idempotency-Key" },
  approvals: {
    seed: 10,
    within: "workspace",
    until: "commit",
    guards: "what a key or connected client, by its id, has waiting for approval",
  },
  connection: { seed: 4, within: "workspace", until: "commit", guards: "connecting and disconnecting a provider" },
  backfill: { seed: 5, within: "workspace", until: "commit", guards: "starting a backfill of everyone" },
  crmSync: { seed: 11, within: "workspace", until: "commit", guards: "starting a run with a CRM, by its name" },
  delivery: { seed: 16, within: "workspace", until: "commit", guards: "recording an inbound delivery, by its id" },
  mail: {
    seed: 19,
    within: "workspace",
    until: "commit",
    guards: "messages that are stored, and what of them is shared",
  },
  identifier: {
    seed: 1,
    within: "workspace",
    until: "commit",
    guards: "an address or LinkedIn URL becoming someone's",
  },
  domain: { seed: 17, within: "workspace", until: "commit", guards: "a domain becoming a company's" },
  entity: { seed: 0, within: "database", until: "commit", guards: "an entity's evidence, beliefs and row, by its id" },
  postings: { seed: 2, within: "workspace", until: "commit", guards: "the postings of the note index" },
  exports: {
    seed: 14,
    within: "workspace",
    until: "commit",
    guards: "that an export does not begin to read while a person is being erased",
  },
  auditChain: { seed: 18, within: "workspace", until: "commit", guards: "the last block of the audit log" },
  importTurn: {
    seed: 15,
    within: "workspace",
    until: "commit",
    apart: true,
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
  mailbox: {
    seed: 87,
    within: "database",
    until: "disconnect",
    guards: "that one process watches a mailbox for new mail, by its id",
  },
  backup: { seed: 85, within: "database", until: "disconnect", guards: "making a backup of the whole database" },
} as const satisfies Record<string, LockClass>;

type LockClass = {
  seed: number;
  within: "workspace" | "database";
  until: "commit" | "disconnect";
  apart?: true;
  guards: string;
};

type Until<U extends LockClass["until"]> = {
  [K in keyof typeof LOCKS]: (typeof LOCKS)[K]["until"] extends U ? K : never;
}[keyof typeof LOCKS];

/** A lock that ends with its transaction. */
export type TransactionLock = Until<"commit">;

/** A lock that ends with its connection, which must be a separate one and not from the pool. */
export type ConnectionLock = Until<"disconnect">;

/** The classes that end with their transaction. */
export const classes = (Object.keys(LOCKS) as (keyof typeof LOCKS)[]).filter(
  (lock): lock is TransactionLock => LOCKS[lock].until === "commit",
);
/** Those that are waited for in order. */
export const ordered = classes.filter((lock) => !("apart" in LOCKS[lock]));

/** The names of locks that a piece of work asked for, in all of its attempts. */
export type LockNames = Map<TransactionLock, Set<string>>;

/**
 * Thrown by work that needs a lock which another transaction holds, and which comes before one that this transaction holds:
 * waiting for it could be a deadlock. The transaction is rolled back and run again, and then begins with all locks that it
 * asked for before.
 */
export class Overtaken extends Error {
  override readonly name = "Overtaken";
}

type Place = { place: number; name: string };

/** Rows are locked by writing them, after everything else. */
const ROWS: Place = { place: Number.POSITIVE_INFINITY, name: "" };

/** The locks of a transaction, or of an attempt inside one. */
export class Locks {
  private readonly asked: LockNames;
  private locks = new Set<string>();
  /** the last one in the order of all that it holds */
  private last: Place = { place: -1, name: "" };
  private readonly whole: Locks;
  /** why the transaction must not commit, whatever caught the error; of the whole transaction */
  private failure: Error | null = null;

  constructor(asked: LockNames, whole?: Locks) {
    this.asked = asked;
    this.whole = whole ?? this;
  }

  /** The locks of an attempt: what it takes, it loses when it is undone. */
  part(): Locks {
    const part = new Locks(this.asked, this.whole);
    part.locks = new Set(this.locks);
    part.last = this.last;
    return part;
  }

  /** Takes over the locks of an attempt that succeeded. */
  join({ locks: held, last }: Locks): void {
    this.locks = held;
    this.last = last;
  }

  holds(of: TransactionLock, name: string): boolean {
    return this.locks.has(keyOf(of, name));
  }

  /** Of these names those that are not held yet, in the order in which they are waited for. */
  missing(of: TransactionLock, names: readonly string[]): string[] {
    return [...new Set(names)].filter((name) => !this.holds(of, name)).sort();
  }

  /** True when these, in order, come after everything that is held. */
  inOrder(of: TransactionLock, [first = ""]: readonly string[]): boolean {
    const place = ordered.indexOf(of);
    return place > this.last.place || (place === this.last.place && first > this.last.name);
  }

  /** Notes what is asked for, in order; the next attempt begins with it. */
  ask(of: TransactionLock, names: readonly string[]): void {
    const askedHere = this.asked.get(of) ?? new Set();
    this.asked.set(of, askedHere);
    for (const name of names) askedHere.add(name);
  }

  /** Notes what is held from now on, in order. */
  take(of: TransactionLock, names: readonly string[]): void {
    const inOrder = this.inOrder(of, names);
    for (const name of names) this.locks.add(keyOf(of, name));
    if (inOrder) this.last = { place: ordered.indexOf(of), name: names.at(-1) ?? "" };
  }

  /** Notes that rows are being written: from now on nothing is waited for. */
  write(): void {
    this.last = ROWS;
  }

  /** Makes the transaction fail. */
  fail<E extends Error>(why: E): E {
    this.whole.failure ??= why;
    return why;
  }

  /** Why the transaction failed to get its locks; null: it did not. */
  get failed(): Error | null {
    return this.whole.failure;
  }
}

const keyOf = (of: TransactionLock, name: string): string => `${of} ${name}`;
