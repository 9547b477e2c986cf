// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/crm/stages/contract.ts";

export const getStageRules = operationAt<typeof contract.getStageRules>("GET /v2/workspace/stage-rules");
export const previewStageRules = operationAt<typeof contract.previewStageRules>(
  "POST /v2/workspace/stage-rules/preview",
);
export const resetStageRules = operationAt<typeof contract.resetStageRules>("POST /stage-rules/reset");
export const saveStageRules = operationAt<typeof contract.saveStageRules>("POST /stage-rules");
