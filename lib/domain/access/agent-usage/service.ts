import { together } from "#lib/core/together.ts";
import { requireExistingKey } from "#lib/domain/access/api-keys/service.ts";
import { implement } from "#lib/domain/implement.ts";
import { formatTime } from "#lib/text/time.ts";
import * as contract from "./contract.ts";
import { findClientDays, findDaysOfCaller, findLatestCalls } from "./queries.ts";
import { lastDays, oldestShown, usageOf } from "./rules.ts";

export const getAgentUsage = implement(contract.getAgentUsage, async (ctx, input) => {
  const days = lastDays(input.days, new Date());
  const { total, clients } = usageOf(await findClientDays(ctx.db, days[0] as string), days);
  return {
    days,
    total,
    clients: clients.map(({ client, calls, byDay, lastAt }) => ({
      client,
      calls,
      by_day: byDay,
      last_at: formatTime(lastAt),
    })),
  };
});

export const getKeyUsage = implement(contract.getKeyUsage, async (ctx, input) => {
  const now = new Date();
  const days = lastDays(input.days, now);
  const [, counted, calls] = await together([
    requireExistingKey(ctx.db, input.id),
    findDaysOfCaller(ctx.db, days[0] as string, input.id),
    findLatestCalls(ctx.db, input.id),
  ]);
  const byDay = new Map(counted.map(({ day, calls }) => [day, calls]));
  const from = oldestShown(now).toISOString();
  return { days, by_day: days.map((day) => byDay.get(day) ?? 0), calls: calls.filter(({ at }) => at >= from) };
});
