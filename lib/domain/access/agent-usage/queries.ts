import type { Call } from "#lib/auth/queries/calls.ts";
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

export type ClientDay = { client: string; day: string; calls: number; lastAt: Date };

const dayOf = (day: string): Date => new Date(`${day}T00:00:00Z`);
const textOf = (day: Date): string => day.toISOString().slice(0, 10);

/** Calls by client and day, from a day on. */
export async function findClientDays(db: Db, from: string): Promise<ClientDay[]> {
  const rows = await db.prisma.clientCalls.groupBy({
    by: ["client", "day"],
    where: { day: { gte: dayOf(from) } },
    _sum: { calls: true },
    _max: { lastAt: true },
  });
  return rows.map(({ client, day, _sum, _max }) => ({
    client,
    day: textOf(day),
    calls: _sum.calls ?? 0,
    lastAt: _max.lastAt ?? day,
  }));
}

/** How often a key or connected client called, by day, from a day on. */
export async function findDaysOfCaller(
  db: Db,
  from: string,
  callerId: string,
): Promise<{ day: string; calls: number }[]> {
  const rows = await db.prisma.clientCalls.groupBy({
    by: ["day"],
    where: { day: { gte: dayOf(from) }, callerId },
    _sum: { calls: true },
  });
  return rows.map(({ day, _sum }) => ({ day: textOf(day), calls: _sum.calls ?? 0 }));
}

/** The last calls of a key or connected client, newest first. */
export const findLatestCalls = async (db: Db, callerId: string): Promise<Call[]> =>
  ((await db.prisma.latestCalls.findFirst({ where: { callerId }, select: { calls: true } }))?.calls ?? []) as Call[];

// latest_calls_pkey: a row for each key
const removeOldCalls = sql(
  "latest_calls_remove",
  `UPDATE latest_calls SET calls = jsonb_path_query_array(calls, '$[*] ? (@.at >= $from)', jsonb_build_object('from', $1::text)), oldest_at = $2
   WHERE workspace_id = $workspace AND oldest_at < $2`,
);
export async function removeLatestCallsBefore(db: Db, before: Date): Promise<void> {
  await db.query(removeOldCalls, [before.toISOString(), before]);
  await db.prisma.latestCalls.deleteMany({ where: { calls: { equals: [] } } });
}

export async function removeCallsBefore(db: Db, day: string): Promise<void> {
  await db.prisma.clientCalls.deleteMany({ where: { day: { lt: dayOf(day) } } });
}
