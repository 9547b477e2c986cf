import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

/** How often a client called on a day, and when last. */
export type Calls = { day: string; callerId: string; client: string; calls: number; lastAt: Date };

// client_calls_pkey; in one order, so that two instances that add at once do not wait for each other in a circle
const add = sql(
  "client_calls_add",
  `INSERT INTO client_calls AS kept (workspace_id, day, caller_id, client, calls, last_at)
   SELECT $workspace, given.* FROM unnest($1::date[], $2::uuid[], $3::text[], $4::int[], $5::timestamptz[]) AS given
   ORDER BY 2, 3, 4
   ON CONFLICT (workspace_id, day, caller_id, client) DO UPDATE
   SET calls = kept.calls + excluded.calls, last_at = greatest(kept.last_at, excluded.last_at)`,
);

export async function addCalls(db: Db, rows: readonly Calls[]): Promise<void> {
  await db.query(add, [
    rows.map(({ day }) => day),
    rows.map(({ callerId }) => callerId),
    rows.map(({ client }) => client),
    rows.map(({ calls }) => calls),
    rows.map(({ lastAt }) => lastAt),
  ]);
}
