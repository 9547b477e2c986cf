import { z } from "zod";
import { Fault } from "#lib/core/errors.ts";
import { cursorsOf, pageOf } from "#lib/core/paging.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { chartBegins, everyDay } from "#lib/text/day-counts.ts";
import { DAY_MS } from "#lib/text/time.ts";
import * as contract from "../contract.ts";
import { availableEvents, bodySchema, kindOf, sampleBody } from "../events.ts";
import { findDeliveries, findDelivery } from "../queries/deliveries.ts";
import { countPlain, findDays, findHours, findTrigger, findTriggers, type TriggerState } from "../queries.ts";
import { deliveryOf, headOf, summaryOf } from "../serialize.ts";
import { eventAliases, eventLabel } from "../words.ts";

export const listTriggers = implement(contract.listTriggers, async ({ db }) => ({
  triggers: await summarised(db, await findTriggers(db)),
}));

/** Whether triggers of this workspace send to addresses without TLS. */
export const sendsPlainly = async ({ db }: Pick<Ctx, "db">): Promise<boolean> => (await countPlain(db)) > 0;

export const getTrigger = implement(contract.getTrigger, async ({ db }, { id }) => {
  const row = await requireTrigger({ db }, id);
  const [trigger] = await summarised(db, [row]);
  return { trigger: trigger as contract.TriggerSummary };
});

export const getTriggerDays = implement(contract.getTriggerDays, async ({ db }, { id }) => {
  await requireTrigger({ db }, id);
  const now = new Date();
  return { days: everyDay(now, await findDays(db, id, chartBegins(now))) };
});

async function summarised(db: Ctx["db"], rows: readonly TriggerState[]): Promise<contract.TriggerSummary[]> {
  const since = new Date(Date.now() - DAY_MS);
  const hours = await findHours(
    db,
    rows.map(({ id }) => id),
    since,
  );
  return rows.map((row) => summaryOf(row, hours));
}

async function requireTrigger({ db }: Pick<Ctx, "db">, id: string): Promise<TriggerState> {
  const row = await findTrigger(db, id);
  if (!row) throw new Fault("trigger_not_found");
  return row;
}

export const listTriggerDeliveries = implement(contract.listTriggerDeliveries, async (ctx, input) => {
  const { id, status = null, limit, cursor } = input;
  await requireTrigger(ctx, id);
  const before = cursor === undefined ? null : cursors.decode(ctx, cursor)[0];
  const rows = await findDeliveries(ctx.db, id, status, before, limit + 1);
  const { shown, next } = pageOf(ctx, cursors, { rows, limit }, ({ seq }) => [Number(seq)]);
  return { deliveries: shown.map(headOf), limit, ...next };
});

const cursors = cursorsOf(contract.listTriggerDeliveries.name, z.tuple([z.int()]));

export const getTriggerDelivery = implement(contract.getTriggerDelivery, async (ctx, { id }) => ({
  delivery: await readDelivery(ctx, id),
}));

/** A delivery as it is shown. Throws 404 `delivery_not_found`. */
export async function readDelivery({ db }: Pick<Ctx, "db">, id: string): Promise<contract.Delivery> {
  const row = await findDelivery(db, id);
  const trigger = row && (await findTrigger(db, row.triggerId));
  if (!row || !trigger) throw new Fault("delivery_not_found");
  return deliveryOf(row, trigger.url);
}

export const listTriggerEvents = implement(contract.listTriggerEvents, async () => ({ events: described }));

const described: contract.TriggerEvent[] = availableEvents.map((type) => {
  const { group, about } = kindOf(type);
  return {
    type,
    label: eventLabel(type),
    group,
    description: about,
    alias_of: Object.hasOwn(eventAliases, type) ? (eventAliases[type] ?? null) : null,
    sample: sampleBody(type) as contract.TriggerEvent["sample"],
    schema: z.toJSONSchema(bodySchema(type), {
      io: "output",
      unrepresentable: "any",
    }) as contract.TriggerEvent["schema"],
  };
});
