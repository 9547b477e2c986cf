// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/integrations/inbound/contract.ts";

export const getInboundDays = operationAt<typeof contract.getInboundDays>("GET /inbound-days");
export const getInboundDelivery = operationAt<typeof contract.getInboundDelivery>(
  "GET /v2/workspace/inbound-deliveries/:id",
);
export const listInboundDeliveries = operationAt<typeof contract.listInboundDeliveries>(
  "GET /v2/workspace/inbound-deliveries",
);
export const replayInboundDelivery = operationAt<typeof contract.replayInboundDelivery>(
  "POST /v2/workspace/inbound-deliveries/:id/replay",
);
export const sendTestDelivery = operationAt<typeof contract.sendTestDelivery>(
  "POST /v2/workspace/integrations/:provider/test",
);
export const setInboundRetention = operationAt<typeof contract.setInboundRetention>(
  "PATCH /v2/workspace/inbound-retention",
);
