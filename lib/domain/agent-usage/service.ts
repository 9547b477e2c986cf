import { formatTime } from "#lib/core/time.ts";
import { implement } from "#lib/domain/implement.ts";
import * as contract from "./contract.ts";
import { findClientDays } from "./queries.ts";
import { lastDays, usageOf } from "./rules.ts";

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
