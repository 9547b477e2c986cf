// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/records/facts/contract.ts";

export const addEntry = operationAt<typeof contract.addEntry>("POST /gtm-context/entries");
export const confirmEntry = operationAt<typeof contract.confirmEntry>("POST /gtm-context/entries/:id/confirm");
export const editEntry = operationAt<typeof contract.editEntry>("POST /gtm-context/entries/:id/edit");
export const getAgentView = operationAt<typeof contract.getAgentView>("GET /gtm-context/agent-view");
export const listEntries = operationAt<typeof contract.listEntries>("GET /gtm-context/entries");
export const listFacts = operationAt<typeof contract.listFacts>("GET /v2/workspace/facts");
export const listVersions = operationAt<typeof contract.listVersions>("GET /gtm-context/history");
export const restoreEntry = operationAt<typeof contract.restoreEntry>("POST /gtm-context/entries/:id/restore");
export const retireEntry = operationAt<typeof contract.retireEntry>("POST /gtm-context/entries/:id/retire");
export const saveFact = operationAt<typeof contract.saveFact>("POST /v2/workspace/facts");
