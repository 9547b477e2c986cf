import { handles, type JobHandler, type Schedule } from "#lib/jobs/handler.ts";
import { retryDelivery } from "./service/again.ts";
import { deliveryJob } from "./service/queue.ts";
import { endRetention } from "./service/retention.ts";

export const jobs: readonly JobHandler[] = [
  handles(deliveryJob, ({ caller, last }, { delivery_id }) => retryDelivery(caller, delivery_id, last)),
];

/** Every hour: a log of any size is brought down to its days a batch at a time. */
export const retentionSchedule: Schedule = {
  name: "inbound:retention",
  pattern: "41 * * * *",
  run: endRetention,
};
