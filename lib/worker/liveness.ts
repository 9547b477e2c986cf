import pg from "pg";
import { lockConnection, lockKeyOf } from "#lib/db/locks.ts";
import { directUrl } from "#lib/db/pooler.ts";
import { patience } from "./patience.ts";

/**
 * In graphile-worker the locks of a killed process last for hours. So each process that runs jobs holds an advisory
 * lock named after its pool, on its own connection, which ends with the process. At its start and every few seconds,
 * every process releases the jobs of pools whose lock no one holds.
 */
export type Liveness = { stop(): Promise<void> };

const RETRY_MS = 1_000;
const CONNECT_MS = 10_000;

/** A pool has locked its first job a moment before it holds its own lock. */
const GRACE = "3 seconds";

const releaseDead = `SELECT graphile_worker.force_unlock_workers(array_agg(pool)) FROM (
    SELECT locked_by AS pool FROM graphile_worker._private_jobs WHERE locked_by IS NOT NULL AND locked_at < now() - interval '${GRACE}'
    UNION SELECT locked_by FROM graphile_worker._private_job_queues WHERE locked_by IS NOT NULL AND locked_at < now() - interval '${GRACE}'
  ) AS held
  WHERE ${lockKeyOf("worker", "pool")} NOT IN (
    SELECT (classid::bigint << 32) | objid::bigint FROM pg_locks
    WHERE locktype = 'advisory' AND objsubid = 1 AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  ) HAVING count(*) > 0`;

/** Shows that the pool is alive, and releases the jobs of dead ones, until it is stopped. */
export async function keepAlive(poolId: string, failed: (error: unknown) => void): Promise<Liveness> {
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;

  const lose = (lost: pg.Client) => {
    if (client !== lost) return;
    client = null;
    if (!stopped) timer = setTimeout(() => void connect(), RETRY_MS).unref();
  };

  async function connect(): Promise<void> {
    if (timer) clearTimeout(timer);
    const opening = new pg.Client({
      connectionString: directUrl(),
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS,
      application_name: "rapport-jobs-alive",
    });
    client = opening;
    opening.on("error", () => lose(opening));
    opening.on("end", () => lose(opening));
    try {
      await opening.connect();
      await lockConnection(opening, "worker", poolId);
      await sweep();
    } catch (error) {
      failed(error);
      lose(opening);
      await opening.end().catch(() => undefined);
    }
  }

  async function sweep(): Promise<void> {
    const current = client;
    if (!current || stopped) return;
    try {
      await current.query(releaseDead);
    } catch (error) {
      failed(error);
    }
    if (client === current && !stopped) timer = setTimeout(() => void sweep(), patience.sweepMs).unref();
  }

  await connect();
  return {
    async stop() {
      stopped = true;
      if (timer) clearTimeout(timer);
      await client?.end();
    },
  };
}
