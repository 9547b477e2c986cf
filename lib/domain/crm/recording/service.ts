export * from "./contract.ts";
export { deriveEmployers } from "./queries/employers.ts";
export { lockLeads, updateLeads } from "./queries/leads.ts";
export { findOwnRules } from "./queries/stage-rules.ts";
export { countNew, type Outcome, STAGE, type Told } from "./rules/decide.ts";
export { type LeadRow, repliesOf } from "./rules/lead-moves.ts";
export { type LeadChange, type LeadState, stateChanged } from "./rules/leads.ts";
export { namesIn } from "./rules/names.ts";
export { sortKeys } from "./rules/rows.ts";
export { eventIn, type StageRule, type StageRules, stageAfter, standardRules } from "./rules/stages.ts";
export { numberIn, timeIn } from "./rules/values.ts";
export type { About, Report } from "./rules/world.ts";
export { holdEntities, holdStanding, holdWhole } from "./service/hold.ts";
export { leaveLists, takeUpWithout } from "./service/leave.ts";
export {
  type Decided,
  findMeant,
  readAndDecide,
  readStageRules,
  repeatSeen,
  type Seen,
  seeReports,
} from "./service/read.ts";
export { rebuildRows, rebuildRowsAsTheyAre } from "./service/rebuild.ts";
export { foresee, record, recordOne } from "./service/record.ts";
export { refresh } from "./service/refresh.ts";
export { restoreCompanies, restorePeople } from "./service/restore.ts";
export { write } from "./service/write.ts";
