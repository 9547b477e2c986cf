// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/integrations/triggers/contract.ts";

export const changeTrigger = operationAt<typeof contract.changeTrigger>("PATCH /v2/workspace/triggers/:id");
export const createTrigger = operationAt<typeof contract.createTrigger>("POST /v2/workspace/triggers");
export const deleteTrigger = operationAt<typeof contract.deleteTrigger>("DELETE /v2/workspace/triggers/:id");
export const getTrigger = operationAt<typeof contract.getTrigger>("GET /v2/workspace/triggers/:id");
export const getTriggerDays = operationAt<typeof contract.getTriggerDays>("GET /triggers/:id/days");
export const getTriggerDelivery = operationAt<typeof contract.getTriggerDelivery>(
  "GET /v2/workspace/trigger-deliveries/:id",
);
export const listTriggerDeliveries = operationAt<typeof contract.listTriggerDeliveries>(
  "GET /v2/workspace/triggers/:id/deliveries",
);
export const listTriggerEvents = operationAt<typeof contract.listTriggerEvents>("GET /v2/workspace/trigger-events");
export const listTriggers = operationAt<typeof contract.listTriggers>("GET /v2/workspace/triggers");
export const replayTriggerDeliveries = operationAt<typeof contract.replayTriggerDeliveries>(
  "POST /v2/workspace/triggers/:id/replay",
);
export const replayTriggerDelivery = operationAt<typeof contract.replayTriggerDelivery>(
  "POST /v2/workspace/triggers/deliveries/:id/replay",
);
export const resumeTrigger = operationAt<typeof contract.resumeTrigger>("POST /v2/workspace/triggers/:id/resume");
export const rotateTriggerSecret = operationAt<typeof contract.rotateTriggerSecret>(
  "POST /v2/workspace/triggers/:id/rotate-secret",
);
export const skipTriggerDelivery = operationAt<typeof contract.skipTriggerDelivery>(
  "POST /v2/workspace/triggers/deliveries/:id/skip",
);
export const testTrigger = operationAt<typeof contract.testTrigger>("POST /v2/workspace/triggers/:id/test");
