import { callOperation, operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/facts/contract.ts";

const list = operationAt<typeof contract.listFacts>("GET /v2/workspace/facts");
const versions = operationAt<typeof contract.listVersions>("GET /gtm-context/history");
const agentView = operationAt<typeof contract.getAgentView>("GET /gtm-context/agent-view");
const add = operationAt<typeof contract.addEntry>("POST /gtm-context/entries");
const edit = operationAt<typeof contract.editEntry>("POST /gtm-context/entries/:id/edit");
const retire = operationAt<typeof contract.retireEntry>("POST /gtm-context/entries/:id/retire");
const confirm = operationAt<typeof contract.confirmEntry>("POST /gtm-context/entries/:id/confirm");
const restore = operationAt<typeof contract.restoreEntry>("POST /gtm-context/entries/:id/restore");

/** The profile is asked for whole: sections are counted and compared on the page. */
export const PAGE = 500;

/** What the tab asks of the server, for one workspace. */
export const callsOf = (workspaceId: string) => ({
  listFacts: async (signal?: AbortSignal) =>
    (await callOperation(list, workspaceId, { limit: PAGE }, signal ? { signal } : {})).facts,
  listVersions: (category: string, signal: AbortSignal) =>
    callOperation(versions, workspaceId, { category }, { signal }),
  getAgentView: (signal: AbortSignal) => callOperation(agentView, workspaceId, {}, { signal }),
  addEntry: (category: string, content: string) => callOperation(add, workspaceId, { category, content }),
  editEntry: (id: string, content: string, seen: string) => callOperation(edit, workspaceId, { id, content, seen }),
  retireEntry: (id: string) => callOperation(retire, workspaceId, { id }),
  confirmEntry: (id: string) => callOperation(confirm, workspaceId, { id }),
  restoreEntry: (id: string, content: string) => callOperation(restore, workspaceId, { id, content }),
});

export const factsKey = (workspaceId: string) => ["facts", workspaceId] as const;
