import { everyWorkspace } from "#lib/auth/operator.ts";
import { DAY_MS } from "#lib/core/time.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { removeEventsBefore } from "./queries.ts";

/** Nobody is told of what happened longer ago: deliveries that are still tried have rows of their own. */
const KEEP_DAYS = 3;
const EVERY_MS = 3_600_000;
const BATCH = 5_000;

/** Removes what is too old to be handed on, in every workspace. Returns how many events. Safe to run anywhere, twice. */
export async function sweepOutbox(now = new Date()): Promise<number> {
  const before = new Date(now.getTime() - KEEP_DAYS * DAY_MS);
  let removed = 0;
  for (const workspaceId of await everyWorkspace()) {
    for (let some = BATCH; some === BATCH; removed += some)
      some = await withWorkspace(workspaceId, (db) => removeEventsBefore(db, before, BATCH));
  }
  return removed;
}

/** Sweeps now and every hour; returns what ends it. */
export function startOutboxSweep(): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  const sweep = () => {
    running = sweepOutbox().catch(() => undefined); // the database is away: the next hour does it
  };
  const first = setTimeout(sweep, 60_000).unref();
  const timer = setInterval(sweep, EVERY_MS).unref();
  return async () => {
    clearTimeout(first);
    clearInterval(timer);
    await running;
  };
}
