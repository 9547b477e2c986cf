import pg from "pg";
import { singleton } from "#lib/core/singleton.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { OperatorError } from "#lib/settings/operator-error.ts";
import { NO_REPLICAS, noteAbilities } from "./distributed/abilities.ts";
import { APP_ROLE, type Login, loginOf, requirePoolable } from "./login.ts";
import { isPooled } from "./pooler.ts";
import { noteFailure, WatchedClient, WatchedPool } from "./watched.ts";

// int8 (counts, seq) fits into a JS number: a sequence reaches 2^53 after 285 years at a million a second.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

// Times go out in UTC too: of a local time the driver writes no seconds of its offset, which zones had before 1940.
pg.defaults.parseInputDatesAsUTC = true;

const otherTimes = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ);
const UTC_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00$/;

/** Rows that were written together have the same times. */
let lastTime = { text: "", time: 0 };

// Connections use UTC, so a time is ISO 8601 except for the space and the zone; the engine's own parser is fastest.
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text: string) => {
  if (text === lastTime.text) return new Date(lastTime.time);
  if (!UTC_TIME.test(text)) return otherTimes(text);
  const date = new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
  lastTime = { text, time: date.getTime() };
  return date;
});

/** The server cancels a statement that runs longer. */
const STATEMENT_MS = 30_000;

/** One that waits for others ends sooner, and says so: it is not a slow statement. */
const LOCK_MS = STATEMENT_MS * 0.8;

/** A server from which an answer is due and nothing has come for this long has stopped or is cut off. */
const SILENT_MS = STATEMENT_MS + 10_000;

/** How long a request waits for a connection. */
const CONNECT_MS = 10_000;

/**
 * The settings of every connection of the app. Every tenant table has an index that begins with the workspace. A plan
 * that is cached while a table is still small must not be a sequential scan, because it is kept until the table is
 * analysed: writes in a new installation would slow down with every row in its first minute. A page costs what it costs the embedded
 * server, so that both plan alike.
 */
export const APP_SETTINGS = {
  timezone: "UTC",
  enable_seqscan: "off",
  statement_timeout: String(STATEMENT_MS),
  lock_timeout: String(LOCK_MS),
  jit: "off",
  random_page_cost: "1.1",
} as const;

/**
 * Options of a connection that obeys row level security. A superuser (the usual login of a hosted or containerised
 * Postgres) would see every tenant, so such a connection first switches to `rapport_app`; so does any other login that may,
 * because what serves requests needs no right to change tables.
 */
export const connectionOptions = ({ bypasses, becomes }: Pick<Login, "bypasses" | "becomes">): string =>
  [
    ...(bypasses || becomes ? [`-c role=${APP_ROLE}`] : []),
    ...Object.entries(APP_SETTINGS).map(([name, value]) => `-c ${name}=${value}`),
  ].join(" ");

const holder = singleton("pool", () => ({ pool: null as Promise<pg.Pool> | null }));

/**
 * The process's one pool. Queries on a connection are pipelined: a query that does not depend on an answer does not
 * wait for it.
 */
export function getPool(): Promise<pg.Pool> {
  holder.pool ??= openPool();
  return holder.pool;
}

async function openPool(): Promise<pg.Pool> {
  const { databaseUrl, env } = getBoot();
  const login = await loginOf(databaseUrl)
    .then((value) => (isPooled() ? requirePoolable(value) : value))
    .catch((error) => {
      holder.pool = null;
      noteFailure(error);
      throw error;
    });
  noteAbilities(login.abilities);
  if (!login.abilities.hasReplicas && env.DATABASE_REPLICA_URL !== undefined) {
    holder.pool = null;
    throw new OperatorError(NO_REPLICAS);
  }
  const pool = new WatchedPool({
    connectionString: databaseUrl,
    max: env.DATABASE_POOL_SIZE,
    ...(isPooled() ? {} : { options: connectionOptions(login) }),
    pipeline: true,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: "rapport",
    Client: WatchedClient,
    silentMillis: SILENT_MS,
  } as pg.PoolConfig);
  // A connection that breaks (database restart) is dropped: an idle one by the pool, one in use by its transaction,
  // whose queries fail. Without a listener on both the event would end the process.
  pool.on("error", () => undefined);
  return pool;
}

/** Closes the pool after the running queries; the next use opens a new one. */
export async function closePool(): Promise<void> {
  const opened = holder.pool;
  holder.pool = null;
  await (await opened?.catch(() => null))?.end();
}
