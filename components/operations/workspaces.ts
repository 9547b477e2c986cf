// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/workspace/workspaces/contract.ts";

export const createWorkspace = operationAt<typeof contract.createWorkspace>("POST /api/account/workspaces");
export const deleteWorkspace = operationAt<typeof contract.deleteWorkspace>("POST /workspace/delete");
export const getWorkspace = operationAt<typeof contract.getWorkspace>("GET /workspace");
export const listMyWorkspaces = operationAt<typeof contract.listMyWorkspaces>("GET /api/account/workspaces");
export const updateWorkspace = operationAt<typeof contract.updateWorkspace>("PATCH /workspace");
