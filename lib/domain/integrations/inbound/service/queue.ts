import type { Db } from "#lib/db/handle.ts";
import { enqueue, jobKind } from "#lib/jobs/queue.ts";

export const deliveryJob = jobKind("inbound:record", {
  label: "Record a provider's delivery",
  ids: ["delivery_id"],
  once: true,
});

/** Has a delivery recorded by a job, as soon as the transaction commits. */
export const enqueueDelivery = (db: Db, deliveryId: string): Promise<void> =>
  enqueue(db, deliveryJob, { delivery_id: deliveryId });
