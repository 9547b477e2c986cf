export { isHigher, type Signal, type StageRule, type StageRules, stageAfter, standardRules } from "./rules.ts";
