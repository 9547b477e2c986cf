import { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { implementAlone } from "#lib/domain/implement.ts";
import { formatTime } from "#lib/text/time.ts";
import { testTrigger as contract } from "../contract.ts";
import { sampleBody } from "../events.ts";
import { hastenWaiting, insertTestDelivery } from "../queries/deliveries.ts";
import { findTrigger } from "../queries.ts";
import { attemptOf, attemptOn } from "./attempt.ts";
import { readDelivery } from "./read.ts";
import { requireEvents, tellTriggers } from "./save.ts";

/** Asks the target outside of a transaction, so there is nothing to replay. */
export const testTrigger = implementAlone(contract, async ({ workspaceId }, { id, event }) => {
  const [asked] = event === undefined ? [] : requireEvents([event]);
  const trigger = await withWorkspace(workspaceId, (db) => findTrigger(db, id), { readOnly: true, mayLag: false });
  if (!trigger) throw new Fault("trigger_not_found");
  const type = asked ?? (trigger.events[0] as string);
  const message = { id: newId(), body: JSON.stringify(sampleBody(type, formatTime(new Date()))) };
  const { at, answer } = await attemptOn(trigger, message, { isTest: true });
  return withWorkspace(workspaceId, async (db) => {
    const row = { ...message, triggerId: id, type, attempts: [attemptOf("test", at, answer)] };
    await insertTestDelivery(db, { ...row, status: answer.ok ? "delivered" : "failed" });
    if (answer.ok) await hastenWaiting(db, id);
    tellTriggers({ db, workspaceId });
    return { ok: answer.ok, delivery: await readDelivery({ db }, message.id) };
  });
});
