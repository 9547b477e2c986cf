import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

export type ClientDay = { client: string; day: string; calls: number; lastAt: Date };

// client_calls_pkey: at most 90 days of a workspace
const ofDays = sql(
  "client_calls_of_days",
  `SELECT client, day::text AS day, sum(calls)::int AS calls, max(last_at) AS "lastAt"
   FROM client_calls WHERE workspace_id = $workspace AND day >= $1::date GROUP BY client, day`,
);

/** Calls by client and day, from a day on. */
export const findClientDays = (db: Db, from: string): Promise<ClientDay[]> => db.query<ClientDay>(ofDays, [from]);

// client_calls_pkey
const removeBefore = sql(
  "client_calls_remove",
  "DELETE FROM client_calls WHERE workspace_id = $workspace AND day < $1::date",
);

export async function removeCallsBefore(db: Db, day: string): Promise<void> {
  await db.query(removeBefore, [day]);
}
