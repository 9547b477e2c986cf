// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/access/approvals/contract.ts";

export const approveChange = operationAt<typeof contract.approveChange>("POST /approvals/:id/approve");
export const getApproval = operationAt<typeof contract.getApproval>("GET /v2/approvals/:id");
export const getApprovalChanges = operationAt<typeof contract.getApprovalChanges>("GET /approvals/:id/changes");
export const listApprovalRules = operationAt<typeof contract.listApprovalRules>("GET /approval-rules");
export const listApprovals = operationAt<typeof contract.listApprovals>("GET /v2/approvals");
export const rejectChange = operationAt<typeof contract.rejectChange>("POST /approvals/:id/reject");
export const removeApprovalRule = operationAt<typeof contract.removeApprovalRule>("DELETE /approval-rules/:id");
