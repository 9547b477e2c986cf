import type { Call } from "#lib/auth/queries/calls.ts";
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
const ofCaller = sql(
  "client_calls_of_caller",
  `SELECT day::text AS day, sum(calls)::int AS calls FROM client_calls
   WHERE workspace_id = $workspace AND day >= $1::date AND caller_id = $2 GROUP BY day`,
);

/** How often a key or connected client called, by day, from a day on. */
export const findDaysOfCaller = (db: Db, from: string, callerId: string): Promise<{ day: string; calls: number }[]> =>
  db.query<{ day: string; calls: number }>(ofCaller, [from, callerId]);

// latest_calls_pkey
const latest = sql(
  "latest_calls_of_caller",
  "SELECT calls FROM latest_calls WHERE workspace_id = $workspace AND caller_id = $1",
);

/** The last calls of a key or connected client, newest first. */
export const findLatestCalls = async (db: Db, callerId: string): Promise<Call[]> =>
  (await db.query<{ calls: Call[] }>(latest, [callerId]))[0]?.calls ?? [];

// latest_calls_pkey: a row for each key
const removeOldCalls = sql(
  "latest_calls_remove",
  `UPDATE latest_calls SET calls = jsonb_path_query_array(calls, '$[*] ? (@.at >= $from)', jsonb_build_object('from', $1::text)), oldest_at = $2
   WHERE workspace_id = $workspace AND oldest_at < $2`,
);
const removeEmpty = sql(
  "latest_calls_remove_empty",
  "DELETE FROM latest_calls WHERE workspace_id = $workspace AND calls = '[]'::jsonb",
);

export async function removeLatestCallsBefore(db: Db, before: Date): Promise<void> {
  await db.query(removeOldCalls, [before.toISOString(), before]);
  await db.query(removeEmpty, []);
}

// client_calls_pkey
const removeBefore = sql(
  "client_calls_remove",
  "DELETE FROM client_calls WHERE workspace_id = $workspace AND day < $1::date",
);

export async function removeCallsBefore(db: Db, day: string): Promise<void> {
  await db.query(removeBefore, [day]);
}
