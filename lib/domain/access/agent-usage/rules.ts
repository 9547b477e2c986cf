import { DAY_MS } from "#lib/text/time.ts";
import type { ClientDay } from "./queries.ts";

const MOST_CLIENTS = 20;

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/** The last `count` days in UTC, today last. */
export const lastDays = (count: number, now: Date): string[] =>
  Array.from({ length: count }, (_, index) => dayOf(new Date(now.getTime() - (count - 1 - index) * DAY_MS)));

const CALLS_KEPT_DAYS = 7;

/** Calls from before are not shown any more. */
export const oldestShown = (now: Date): Date => new Date(now.getTime() - CALLS_KEPT_DAYS * DAY_MS);

export type ClientUsage = { client: string; calls: number; byDay: number[]; lastAt: Date };

/** Calls of each client on each of these days, the most active first; of equals the one that called last. */
export function usageOf(
  rows: readonly ClientDay[],
  days: readonly string[],
): { total: number; clients: ClientUsage[] } {
  const place = new Map(days.map((day, index) => [day, index]));
  const clients = new Map<string, ClientUsage>();
  let total = 0;
  for (const { client, day, calls, lastAt } of rows) {
    const index = place.get(day);
    if (index === undefined) continue;
    const usage = clients.get(client) ?? { client, calls: 0, byDay: days.map(() => 0), lastAt };
    usage.calls += calls;
    usage.byDay[index] = (usage.byDay[index] ?? 0) + calls;
    if (lastAt > usage.lastAt) usage.lastAt = lastAt;
    clients.set(client, usage);
    total += calls;
  }
  const sorted = [...clients.values()].sort((a, b) => b.calls - a.calls || b.lastAt.getTime() - a.lastAt.getTime());
  return { total, clients: sorted.slice(0, MOST_CLIENTS) };
}
