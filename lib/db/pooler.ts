import { getBoot } from "#lib/settings/boot.ts";

/**
 * Whether `DATABASE_URL` is a connection pooler (PgBouncer in transaction mode) and not the database itself: it is when
 * `DATABASE_DIRECT_URL` names the database. A pooler takes no options, and its connection stays the same only for one
 * transaction.
 */
export const isPooled = (): boolean => getBoot().env.DATABASE_DIRECT_URL !== undefined;

/** The URL for connections outside the pool: those that hold a lock, listen, or run jobs and migrations. */
export function directUrl(): string {
  const { databaseUrl, env } = getBoot();
  return env.DATABASE_DIRECT_URL ?? databaseUrl;
}

/**
 * Options of a connection outside the pool: the settings of the login (`settleLogin`) are for requests, and a migration
 * may take long.
 */
export const DIRECT_OPTIONS = "-c statement_timeout=0 -c lock_timeout=0 -c enable_seqscan=on";
