// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/workspace/workspace-status/contract.ts";

export const getWorkspaceStatus = operationAt<typeof contract.getWorkspaceStatus>("GET /v2/workspace/status");
export const setWorkspaceProfile = operationAt<typeof contract.setWorkspaceProfile>("POST /v2/workspace/onboarding");
