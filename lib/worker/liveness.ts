import { keepConnected } from "#lib/db/kept-connection.ts";
import { lockConnection, lockKeyOf } from "#lib/db/locks.ts";
import { patience } from "./patience.ts";

/**
 * In graphile-worker the locks of a killed process last for hours. So each process that runs jobs holds an advisory
 * lock named after its pool, on its own connection, which ends with the process. At its start and every few seconds,
 * every process releases the jobs of pools whose lock no one holds.
 */
export type Liveness = { stop(): Promise<void> };

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
  const connection = await keepConnected({
    name: "rapport-jobs-alive",
    async opened(client) {
      await lockConnection(client, "worker", poolId);
      await client.query(releaseDead);
    },
    lost(error) {
      if (error) failed(error);
    },
  });
  const timer = setInterval(() => void connection.client?.query(releaseDead).catch(failed), patience.sweepMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      await connection.stop();
    },
  };
}
