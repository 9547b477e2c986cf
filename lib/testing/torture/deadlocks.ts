/** Deadlocks that the database had to end while something was played. */
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Verdict } from "./verdict.ts";

/** Counts of the database come once a second, and those of a connection when it ends. */
const COUNTED_MS = 1_200;

/** Counts from now on. The returned function, called when the connections have ended, says what was counted. */
export async function watchDeadlocks(admin: pg.Client): Promise<(verdict: Verdict) => Promise<void>> {
  const before = await count(admin);
  const logged = await logSize(admin);
  return async (verdict) => {
    await sleep(COUNTED_MS);
    const deadlocks = (await count(admin)) - before;
    verdict.count("deadlocks", deadlocks);
    if (deadlocks > 0) verdict.wrong("deadlock", `${deadlocks} deadlocks ${await entries(admin, logged)}`);
  };
}

async function count(admin: pg.Client): Promise<number> {
  const { rows } = await admin.query<{ count: number }>(
    "SELECT deadlocks::int AS count FROM pg_stat_database WHERE datname = current_database()",
  );
  return rows[0]?.count ?? 0;
}

/** How long the database's log is; null: it keeps none that can be read. */
async function logSize(admin: pg.Client): Promise<number | null> {
  const { rows } = await admin.query<{ size: number | null }>(
    "SELECT (pg_stat_file(pg_current_logfile(), true)).size::int AS size",
  );
  return rows[0]?.size ?? null;
}

/** What the database wrote about deadlocks since its log was this long. */
async function entries(admin: pg.Client, since: number | null): Promise<string> {
  if (since === null) return "(without a log)";
  const { rows } = await admin.query<{ log: string }>(
    "SELECT pg_read_file(pg_current_logfile(), $1, 10000000) AS log",
    [since],
  );
  const lines = (rows[0]?.log ?? "").split("\n");
  const about = lines.flatMap((line, place) =>
    line.includes("deadlock detected") ? lines.slice(place, place + 9) : [],
  );
  return about.slice(0, 60).join("\n");
}
