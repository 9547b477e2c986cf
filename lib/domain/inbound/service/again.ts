import type { Caller } from "#lib/core/context.ts";
import { attempt, type Db, withWorkspace } from "#lib/db/transaction.ts";
import { tellChanged } from "#lib/domain/connections/service.ts";
import type { Attempt } from "../contract.ts";
import { type Delivery, lockDelivery, type Standing, settleDeliveries } from "../queries.ts";
import { recordOf } from "../rules/fields.ts";
import { providers } from "../rules/providers.ts";
import { recordNews } from "./record.ts";
import { attemptOf, callerOf, type Inbox, unsettled } from "./take-in.ts";

type Again = {
  by: Exclude<Attempt["by"], "delivery">;
  requestId: string /** what a failure leaves it as */;
  otherwise: "pending" | "failed";
};

/**
 * Records once more what a delivery says; the caller holds its row. A failure undoes what was recorded and nothing else,
 * and is answered.
 */
export async function recordAgain(
  db: Db,
  workspace: Pick<Inbox, "workspaceId" | "plan">,
  { id, provider, payload, receivedAt }: Delivery,
  { by, requestId, otherwise }: Again,
): Promise<{ failure: unknown }> {
  const at = new Date();
  const ctx = { ...callerOf({ ...workspace, provider }, requestId), db };
  tellChanged(ctx);
  try {
    const news = providers[provider].read(recordOf(JSON.parse(payload)), receivedAt);
    const [standing] = (await attempt(db, () => recordNews(ctx, [news]))) as [Standing];
    await settleDeliveries(db, [{ id, standing, attempt: attemptOf(by, at, standing) }]);
    return { failure: null };
  } catch (failure) {
    const standing = unsettled(otherwise, failure);
    await settleDeliveries(db, [{ id, standing, attempt: attemptOf(by, at, standing) }]);
    return { failure };
  }
}

/**
 * One attempt of the queue at a delivery that waits; `last` when there will be no other. Throws what went wrong after it
 * is written down. Whoever processed the delivery meanwhile has done the job's work.
 */
export async function retryDelivery(
  { workspaceId, plan, requestId }: Pick<Caller, "workspaceId" | "plan" | "requestId">,
  id: string,
  last: boolean,
): Promise<void> {
  const failure = await withWorkspace(workspaceId, async (db) => {
    const delivery = await lockDelivery(db, id);
    if (delivery?.status !== "pending") return null;
    const way = { by: "retry", requestId, otherwise: last ? "failed" : "pending" } as const;
    return (await recordAgain(db, { workspaceId, plan }, delivery, way)).failure;
  });
  if (failure !== null) throw failure;
}
