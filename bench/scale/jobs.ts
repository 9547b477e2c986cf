import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Failure } from "./operations.ts";

/** A job that failed is tried again after seconds; until then its error can be read. */
const EVERY_MS = 300;

/** How long the jobs that are due may take in the end. */
const PATIENCE_MS = 60_000;

/** Sees which background jobs fail, also those that succeed when they are tried again. `stop` waits for those that are due. */
export async function watchJobs(url: string): Promise<{ stop(): Promise<{ failures: Failure[] }> }> {
  const client = new pg.Client({ connectionString: url, application_name: "rapport-scale" });
  await client.connect();
  const failed = new Map<string, Failure>();
  const look = async () => {
    const { rows } = await client.query<{ id: string; name: string; attempts: number; error: string }>(
      `SELECT id::text, task_identifier AS name, attempts, last_error AS error FROM graphile_worker.jobs WHERE last_error IS NOT NULL`,
    );
    for (const { id, name, attempts, error } of rows)
      failed.set(`${id} ${attempts}`, { what: `job ${name}`, why: error.slice(0, 300) });
  };
  await look();
  const before = new Set(failed.keys()); // of earlier runs on this database
  let stopped = false;
  const looking = (async () => {
    while (!stopped) {
      await look();
      await sleep(EVERY_MS);
    }
  })();
  looking.catch(() => undefined); // is thrown by `stop`
  return {
    async stop() {
      const until = performance.now() + PATIENCE_MS;
      const due =
        "SELECT task_identifier AS name FROM graphile_worker.jobs WHERE run_at <= now() AND attempts < max_attempts";
      let waiting: { name: string }[];
      do {
        await sleep(EVERY_MS);
        waiting = (await client.query<{ name: string }>(due)).rows;
      } while (waiting.length > 0 && performance.now() < until);
      stopped = true;
      await looking;
      await client.end();
      const own = [...failed].flatMap(([key, failure]) => (before.has(key) ? [] : failure));
      const left = waiting.map(({ name }) => ({ what: `job ${name}`, why: "it is not over after a minute" }));
      return { failures: [...own, ...left] };
    },
  };
}
