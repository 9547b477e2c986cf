import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { inspect } from "./database.ts";

/** How often the database ended a transaction of this test's because two waited for each other. */
export async function deadlocks(): Promise<number> {
  await sleep(1_100); // a connection reports its numbers once a second
  const [row] = await inspect<{ deadlocks: number }>(
    "SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()",
  );
  return row?.deadlocks ?? 0;
}

const findWaits = () =>
  inspect("SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'");

/** Resolves once so many statements wait for locks. */
export const waiting = (statements = 1) => expect.poll(findWaits, { timeout: 60_000 }).toHaveLength(statements);

/** Resolves once the work has ended, or so many statements wait for locks. */
export async function endedOrWaiting(work: Promise<unknown>, statements = 1): Promise<void> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  const state = async () => isOver || (await findWaits()).length >= statements;
  await expect.poll(state, { timeout: 60_000, interval: 20 }).toBe(true);
}
