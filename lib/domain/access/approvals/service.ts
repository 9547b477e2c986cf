export { getApprovalChanges } from "./service/changes.ts";
export { approveChange, rejectChange } from "./service/decide.ts";
export { cancelApprovals, cancelApprovalsOfClients, forgetInApprovals } from "./service/end.ts";
export { countWaiting, getApproval, listApprovals } from "./service/read.ts";
export { inheritRules, inheritRulesOfClient, listApprovalRules, removeApprovalRule } from "./service/rules.ts";
