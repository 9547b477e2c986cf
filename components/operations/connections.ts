// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/integrations/connections/contract.ts";

export const checkIntegration = operationAt<typeof contract.checkIntegration>("POST /integrations/:provider/check");
export const connectIntegration = operationAt<typeof contract.connectIntegration>("POST /v2/workspace/integrations");
export const disconnectIntegration = operationAt<typeof contract.disconnectIntegration>(
  "DELETE /v2/workspace/integrations/:provider",
);
export const getIntegration = operationAt<typeof contract.getIntegration>("GET /integrations/:provider");
export const listIntegrations = operationAt<typeof contract.listIntegrations>("GET /v2/workspace/integrations");
export const registerAgain = operationAt<typeof contract.registerAgain>("POST /integrations/:provider/webhook");
export const testIntegration = operationAt<typeof contract.testIntegration>("POST /integrations/test");
