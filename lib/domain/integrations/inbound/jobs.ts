import { handles, type JobHandler, type Maintenance } from "#lib/jobs/handler.ts";
import { retryDelivery } from "./service/again.ts";
import { deliveryJob } from "./service/queue.ts";
import { endRetention } from "./service/retention.ts";

export const jobs: readonly JobHandler[] = [
  handles(deliveryJob, ({ caller, last }, { delivery_id }) => retryDelivery(caller, delivery_id, last)),
];

export const maintenance: readonly Maintenance[] = [{ name: "inbound", step: endRetention }];
