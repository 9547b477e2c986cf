import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

/** How often a client called on a day, and when last. */
export type Calls = { day: string; callerId: string; client: string; calls: number; lastAt: Date };

// client_calls_pkey; in one order, so that two instances that add at once do not wait for each other in a circle.
// Here and below: calls of a workspace that was deleted meanwhile are counted nowhere.
const add = sql(
  "client_calls_add",
  `INSERT INTO client_calls AS kept (workspace_id, day, caller_id, client, calls, last_at)
   SELECT id, given.* FROM workspaces, unnest($1::date[], $2::uuid[], $3::text[], $4::int[], $5::timestamptz[]) AS given
   WHERE id = $workspace ORDER BY 2, 3, 4
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

/** One call, as it is shown to those who look after keys. Never holds what was sent or answered. */
export type Call = {
  /** ISO time, UTC */
  at: string;
  method: string;
  /** of the contract: `/v2/people/:focus`, without what stood in its place */
  path: string;
  operation: string;
  status: number;
  /** milliseconds until the answer was ready */
  ms: number;
  client: string | null;
};

/** How many calls of a caller are kept. */
export const LATEST_CALLS = 100;

// latest_calls_pkey; in one order, as above
const keep = sql(
  "latest_calls_keep",
  `INSERT INTO latest_calls AS kept (workspace_id, caller_id, calls, oldest_at)
   SELECT id, given.* FROM workspaces, unnest($1::uuid[], $2::jsonb[], $3::timestamptz[]) AS given
   WHERE id = $workspace ORDER BY 2
   ON CONFLICT (workspace_id, caller_id) DO UPDATE
   SET calls = jsonb_path_query_array(excluded.calls || kept.calls, '$[0 to ${LATEST_CALLS - 1}]'),
     oldest_at = least(kept.oldest_at, excluded.oldest_at)`,
);

/** Adds calls of callers, newest first, before those that are kept. */
export async function keepCalls(
  db: Db,
  callers: readonly { callerId: string; calls: readonly Call[] }[],
): Promise<void> {
  await db.query(keep, [
    callers.map(({ callerId }) => callerId),
    callers.map(({ calls }) => JSON.stringify(calls)),
    callers.map(({ calls }) => new Date(calls.at(-1)?.at ?? 0)),
  ]);
}

// latest_calls_pkey: a row for each key
const called = sql(
  "latest_calls_has",
  `SELECT EXISTS (SELECT FROM latest_calls WHERE workspace_id = $workspace
     AND jsonb_path_exists(calls, '$[*] ? (@.operation == $wanted[*] && @.status < 300)', jsonb_build_object('wanted', $1::jsonb))) AS called`,
);

/** Whether one of the operations was called with success, as far as calls are kept. */
export const wasCalled = async (db: Db, operations: readonly string[]): Promise<boolean> =>
  (await db.query<{ called: boolean }>(called, [JSON.stringify(operations)]))[0]?.called === true;
