export {
  buildFirstModel,
  buildScoringModel,
  draftScoringModel,
  getScoringModel,
  listScoringModels,
  removeModelBy,
} from "./service/build.ts";
export { type ChangedScore, scoresChanged } from "./service/changed.ts";
export { getAccountScore } from "./service/explain.ts";
export { previewScoringModel } from "./service/preview.ts";
export { rescoreAll, rescoreRecords } from "./service/rescore.ts";
export { scoreRows } from "./service/score.ts";
