import { everyWorkspace } from "#lib/auth/operator.ts";
import { DAY_MS } from "#lib/core/time.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import type { Schedule } from "#lib/jobs/handler.ts";
import { removeEventsBefore } from "./queries.ts";

/** Nobody is told of what happened longer ago: deliveries that are still tried have rows of their own. */
const KEEP_DAYS = 3;
const BATCH = 5_000;

/** Removes what is too old to be handed on, in every workspace. Returns how many events. Safe to run anywhere, twice. */
export async function sweepOutbox(now: Date, signal?: AbortSignal): Promise<number> {
  const before = new Date(now.getTime() - KEEP_DAYS * DAY_MS);
  let removed = 0;
  for (const workspaceId of await everyWorkspace()) {
    for (let some = BATCH; some === BATCH && !signal?.aborted; removed += some)
      some = await withWorkspace(workspaceId, (db) => removeEventsBefore(db, before, BATCH));
  }
  return removed;
}

export const sweepSchedule: Schedule = {
  name: "outbox:sweep",
  pattern: "17 * * * *",
  run: async (signal) => void (await sweepOutbox(new Date(), signal)),
};
