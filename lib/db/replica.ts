import pg from "pg";
import { answeredByReplica, seenByCaller } from "#lib/core/position.ts";
import { singleton } from "#lib/core/singleton.ts";
import { getBoot, onShutdown } from "#lib/settings/boot.ts";
import { borrow } from "./lease.ts";
import { loginOf } from "./login.ts";
import { connectionOptions } from "./pool.ts";

/** After a failure only the primary is used for this long. */
const AWAY_MS = 5_000;

/** How long a request waits for a connection to the replica; then the primary answers. */
const CONNECT_MS = 2_000;

/** A replica that does not answer for this long is given up. */
const SILENT_MS = 10_000;

type Replica = { pool: Promise<pg.Pool> | null; awayUntil: number };
const replica = singleton<Replica>("replica", () => ({ pool: null, awayUntil: 0 }));

/** Whether a streaming replica is configured for reads. */
export const hasReplica = (): boolean => getBoot().env.DATABASE_REPLICA_URL !== undefined;

/** The log position of a database: what a replica has replayed, or the primary has written. */
export const POSITION =
  "CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END";

/** The replica does not yet have what the caller has seen. */
export class Behind extends Error {}

/** A read that the replica is asked for. */
export class ReplicaRead {
  /** Why the replica could not answer; null: it answered everything. */
  why: unknown = null;
  private readonly needed: bigint;

  constructor(needed: bigint) {
    this.needed = needed;
  }

  /** Takes the replica's log position. Throws `Behind` when that is not far enough. */
  placed(position: bigint | null): void {
    if (position === null || position < this.needed) throw new Behind("the replica lacks what its caller has seen");
  }

  failed(error: unknown): void {
    this.why ??= error;
  }

  /** Throws: the primary has to answer. */
  giveUp(reason: string): never {
    this.failed(new Behind(reason));
    throw this.why;
  }
}

/**
 * The position a replica must have reached to answer the running request; null when the primary must answer: no replica
 * is configured, the caller sent no position, or the replica failed a moment ago.
 */
function neededOfReplica(): bigint | null {
  return hasReplica() && Date.now() >= replica.awayUntil ? seenByCaller() : null;
}

/** Stops using a failed replica for a moment. */
function noteAway(): void {
  replica.awayUntil = Date.now() + AWAY_MS;
}

/**
 * The result of a read on the replica; null when the primary has to answer: the replica lacks what the caller of the running
 * request has seen, or it failed.
 */
export async function fromReplica<T>(
  operation: string,
  read: (client: pg.PoolClient, asked: ReplicaRead) => Promise<T>,
): Promise<{ result: T } | null> {
  const needed = neededOfReplica();
  if (needed === null) return null;
  let client: pg.PoolClient;
  try {
    client = await borrow(operation, getReplica);
  } catch {
    noteAway();
    return null;
  }
  const asked = new ReplicaRead(needed);
  try {
    const result = await read(client, asked);
    if (asked.why !== null) return null; // the work caught the failure, so its result may be incomplete
    answeredByReplica();
    return { result };
  } catch (error) {
    if (asked.why === null) throw error;
    if (!(asked.why instanceof Behind)) noteAway();
    return null;
  }
}

/** The pool of connections to the replica. */
function getReplica(): Promise<pg.Pool> {
  replica.pool ??= openReplica().catch((error) => {
    replica.pool = null;
    throw error;
  });
  return replica.pool;
}

async function openReplica(): Promise<pg.Pool> {
  const { DATABASE_REPLICA_URL: url, DATABASE_POOL_SIZE } = getBoot().env;
  if (url === undefined) throw new Error("there is no replica");
  const login = await loginOf(url, CONNECT_MS);
  const pool = new pg.Pool({
    connectionString: url,
    max: DATABASE_POOL_SIZE,
    options: connectionOptions(login),
    pipeline: true,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: "rapport-replica",
    query_timeout: SILENT_MS,
  } as pg.PoolConfig);
  // Losing it is not an outage: the primary answers.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  onShutdown(closeReplica);
  return pool;
}

/** Closes the pool; the next use opens a new one. */
export async function closeReplica(): Promise<void> {
  const opened = replica.pool;
  replica.pool = null;
  replica.awayUntil = 0;
  await (await opened?.catch(() => null))?.end();
}
