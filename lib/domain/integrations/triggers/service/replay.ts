import { Fault } from "#lib/core/errors.ts";
import { implement } from "#lib/domain/implement.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { formatTime } from "#lib/text/time.ts";
import * as contract from "../contract.ts";
import { requeueDeliveries, requeueDelivery, skipDelivery } from "../queries/deliveries.ts";
import { readDelivery } from "./read.ts";
import { requireTrigger, tellTriggers } from "./save.ts";

export const replayTriggerDelivery = implement(contract.replayTriggerDelivery, async (ctx, { id }) => {
  const { trigger_id } = await readDelivery(ctx, id);
  await requeueDelivery(ctx.db, id);
  await recordAudit(ctx, "trigger_delivery.replayed", id, { trigger_id });
  tellTriggers(ctx);
  return { ok: true as const, delivery: await readDelivery(ctx, id) };
});

export const skipTriggerDelivery = implement(contract.skipTriggerDelivery, async (ctx, { id }) => {
  const { trigger_id, status } = await readDelivery(ctx, id);
  if (status === "pending") {
    await skipDelivery(ctx.db, id);
    await recordAudit(ctx, "trigger_delivery.skipped", id, { trigger_id });
    tellTriggers(ctx);
  }
  return { ok: true as const, delivery: await readDelivery(ctx, id) };
});

/** Deliveries put back into the queue by one call. */
const MOST_AT_ONCE = 10_000;

export const replayTriggerDeliveries = implement(contract.replayTriggerDeliveries, async (ctx, input) => {
  const { id, which, since } = input;
  await requireTrigger(ctx, id);
  const delivered = which === "all";
  if (delivered && !since) throw new Fault("since_required");
  const times = await requeueDeliveries(ctx.db, id, { since: since ?? new Date(0), delivered, limit: MOST_AT_ONCE });
  const replayed = times.length;
  if (replayed > 0) await recordAudit(ctx, "trigger.replayed", id, { which, replayed });
  tellTriggers(ctx);
  const last = Math.max(...times.map(Number));
  return { ok: true as const, replayed, next_since: replayed === MOST_AT_ONCE ? formatTime(new Date(last)) : null };
});
