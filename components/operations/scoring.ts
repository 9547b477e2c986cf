// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/knowledge/scoring/contract.ts";

export const buildScoringModel = operationAt<typeof contract.buildScoringModel>("POST /v2/workspace/scoring-model");
export const draftScoringModel = operationAt<typeof contract.draftScoringModel>("POST /scoring-model/draft");
export const getAccountScore = operationAt<typeof contract.getAccountScore>("GET /v2/accounts/:focus/score");
export const getScoringModel = operationAt<typeof contract.getScoringModel>("GET /v2/workspace/scoring-model");
export const listScoringModels = operationAt<typeof contract.listScoringModels>(
  "GET /v2/workspace/scoring-model/versions",
);
export const previewScoringModel = operationAt<typeof contract.previewScoringModel>(
  "POST /v2/workspace/scoring-model/preview",
);
export const scoreRows = operationAt<typeof contract.scoreRows>("POST /v2/score");
