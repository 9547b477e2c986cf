export {
  getTriggerDelivery,
  listTriggerDeliveries,
  replayTriggerDeliveries,
  replayTriggerDelivery,
  skipTriggerDelivery,
  testTrigger,
} from "./contract/deliveries.ts";
export { Attempt, Delivery, DeliveryStatus, DeliverySummary } from "./contract/delivery.ts";
export {
  changeTrigger,
  createTrigger,
  deleteTrigger,
  getTrigger,
  getTriggerDays,
  listTriggers,
  resumeTrigger,
  rotateTriggerSecret,
} from "./contract/manage.ts";
export { Filters, MOST_EVENTS, Trigger, TriggerStatus, TriggerSummary } from "./contract/trigger.ts";
export { listTriggerEvents, TriggerEvent } from "./contract/trigger-events.ts";
