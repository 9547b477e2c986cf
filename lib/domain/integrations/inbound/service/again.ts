import type { Caller } from "#lib/core/context.ts";
import { attempt, type Db } from "#lib/db/handle.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { tellChanged } from "#lib/domain/integrations/connections/service.ts";
import { recordOf } from "#lib/providers/fields.ts";
import type { News } from "#lib/providers/news.ts";
import type { Attempt } from "../contract.ts";
import { type Delivery, type DeliveryState, isRedacted, lockDelivery, settleDeliveries } from "../queries.ts";
import { inboundOf } from "../rules/providers.ts";
import { recordNews, recordPortions } from "./record.ts";
import { attemptOf, callerOf, type Inbox, unsettled } from "./take-in.ts";

type Again = {
  by: Exclude<Attempt["by"], "delivery">;
  requestId: string /** its status after a failure */;
  otherwise: "pending" | "failed";
};

/**
 * Records the content of a delivery once more; the caller holds its row. A failure undoes only what was recorded here,
 * and is returned.
 */
export async function recordAgain(
  db: Db,
  workspace: Pick<Inbox, "workspaceId" | "plan">,
  delivery: Delivery,
  way: Again,
): Promise<{ failure: unknown }> {
  const { id, provider } = delivery;
  const at = new Date();
  const ctx = { ...callerOf({ ...workspace, provider }, way.requestId), db };
  tellChanged(ctx);
  try {
    const state = isRedacted(delivery) ? delivery : await recordOne(ctx, delivery);
    await settleDeliveries(db, [{ id, state, attempt: attemptOf(way.by, at, state) }]);
    return { failure: null };
  } catch (failure) {
    return writeDown(db, id, failure, way, at);
  }
}

async function recordOne(ctx: Ctx, delivery: Delivery): Promise<DeliveryState> {
  const news = newsOf(delivery);
  const [state] = await attempt(ctx.db, (db) => recordNews({ ...ctx, db }, [news]));
  return state as DeliveryState;
}

const newsOf = ({ provider, payload, receivedAt }: Delivery): News =>
  inboundOf(provider).read(recordOf(JSON.parse(payload)), receivedAt);

async function writeDown(db: Db, id: string, failure: unknown, { by, otherwise }: Again, at: Date) {
  const state = unsettled(otherwise, failure);
  await settleDeliveries(db, [{ id, state, attempt: attemptOf(by, at, state) }]);
  return { failure };
}

/**
 * One attempt of the queue at a waiting delivery; `last` when there will be no other. Throws what went wrong after
 * saving it. A delivery that was processed meanwhile needs no more work.
 */
export async function retryDelivery(
  { workspaceId, plan, requestId }: Pick<Caller, "workspaceId" | "plan" | "requestId">,
  id: string,
  last: boolean,
): Promise<void> {
  const inside = <T>(work: (db: Db) => Promise<T>) => withWorkspace(workspaceId, work);
  const way: Again = { by: "retry", requestId, otherwise: last ? "failed" : "pending" };
  const waiting = await inside((db) => lockDelivery(db, id));
  if (waiting?.status !== "pending") return;
  const caller = callerOf({ workspaceId, plan, provider: waiting.provider }, requestId);
  const begun = new Date();
  const failedAhead = await recordPortions((work) => inside((db) => work({ ...caller, db })), newsOf(waiting)).then(
    () => null,
    (failure: unknown) => ({ failure }),
  );
  const outcome = await inside(async (db) => {
    const delivery = await lockDelivery(db, id);
    if (delivery?.status !== "pending") return null;
    if (!failedAhead) return recordAgain(db, { workspaceId, plan }, delivery, way);
    tellChanged({ db, workspaceId });
    return writeDown(db, id, failedAhead.failure, way, begun);
  });
  if (outcome && outcome.failure !== null) throw outcome.failure;
}
