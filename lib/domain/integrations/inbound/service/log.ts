import { z } from "zod";
import { Fault } from "#lib/core/errors.ts";
import { cursorsOf, pageOf } from "#lib/core/paging.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";
import { together } from "#lib/core/together.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { listRefusals } from "#lib/domain/integrations/connections/service.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { chartBegins, everyDay } from "#lib/text/day-counts.ts";
import { formatTime } from "#lib/text/time.ts";
import * as contract from "../contract.ts";
import {
  countDays,
  countWithoutContact,
  findDeliveries,
  findDelivery,
  findRetentionDays,
  type LogFilter,
  lockDelivery,
} from "../queries.ts";
import { isInboundProvider } from "../rules/providers.ts";
import { deliveryOf, refusalOf, summaryOf } from "../serialize.ts";
import { recordAgain } from "./again.ts";
import { retentionOf } from "./retention.ts";

export const listInboundDeliveries = implement(contract.listInboundDeliveries, async (ctx, input) => {
  const { db } = ctx;
  const { provider = null, status = null, without_contact: withoutContact, limit, cursor } = input;
  const after = cursor === undefined ? null : positionOf(ctx, cursor);
  const [rows, refusals, days] = await together([
    findDeliveries(db, { provider, status, withoutContact, after }, limit + 1),
    listRefusals({ db }),
    findRetentionDays(db),
  ]);
  const { shown, next } = pageOf(ctx, cursors, { rows, limit }, ({ receivedAt, id }) => [formatTime(receivedAt), id]);
  return {
    deliveries: shown.map(summaryOf),
    refusals: refusals.flatMap((refused) =>
      isInboundProvider(refused.provider) ? [refusalOf(refused.provider, refused)] : [],
    ),
    retention: retentionOf(days),
    limit,
    ...next,
  };
});

/** How many deliveries of the last 30 days found no contact; counted like those of the chart. */
export async function countUnmatched({ db }: Pick<Ctx, "db">, now: Date): Promise<{ count: number; capped: boolean }> {
  const counted = await countWithoutContact(db, chartBegins(now), contract.MOST_COUNTED + 1);
  return { count: Math.min(counted, contract.MOST_COUNTED), capped: counted > contract.MOST_COUNTED };
}

const cursors = cursorsOf(contract.listInboundDeliveries.name, z.tuple([Timestamp, Id]));

function positionOf(ctx: Ctx, cursor: string): NonNullable<LogFilter["after"]> {
  const [at, id] = cursors.decode(ctx, cursor);
  return { at, id };
}

export const getInboundDelivery = implement(contract.getInboundDelivery, async ({ db }, { id }) => {
  const delivery = await findDelivery(db, id);
  if (!delivery) throw new Fault("delivery_not_found");
  return { delivery: deliveryOf(delivery) };
});

export const replayInboundDelivery = implement(contract.replayInboundDelivery, async (ctx, { id }) => {
  const delivery = await lockDelivery(ctx.db, id);
  if (!delivery) throw new Fault("delivery_not_found");
  await recordAgain(ctx.db, ctx, delivery, { by: "replay", requestId: ctx.requestId, otherwise: "failed" });
  await recordAudit(ctx, "inbound_delivery.replayed", id, { provider: delivery.provider });
  const replayed = await findDelivery(ctx.db, id);
  if (!replayed) throw new Fault("delivery_not_found");
  return { delivery: deliveryOf(replayed) };
});

export const getInboundDays = implement(contract.getInboundDays, async ({ db }, { provider = null }) => {
  const now = new Date();
  const rows = await countDays(db, chartBegins(now), contract.MOST_COUNTED, provider);
  const days = everyDay(now, rows);
  const total = days.reduce((sum, { delivered, failed }) => sum + delivered + failed, 0);
  const [oldest] = rows;
  return { days, since: total >= contract.MOST_COUNTED && oldest ? formatTime(oldest.first) : null };
});
