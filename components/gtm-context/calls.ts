import { callOperation } from "#components/api.ts";
import {
  addEntry,
  confirmEntry,
  editEntry,
  getAgentView,
  listEntries,
  listVersions,
  restoreEntry,
  retireEntry,
} from "#components/operations/facts.ts";

/** The whole profile is fetched: sections are counted and compared on the page. */
export const PAGE = 500;

/** The tab's requests to the server, for one workspace. */
export const callsOf = (workspaceId: string) => ({
  listEntries: async (signal?: AbortSignal) =>
    (await callOperation(listEntries, workspaceId, { limit: PAGE }, signal ? { signal } : {})).entries,
  listVersions: (category: string, signal: AbortSignal) =>
    callOperation(listVersions, workspaceId, { category }, { signal }),
  getAgentView: (signal: AbortSignal) => callOperation(getAgentView, workspaceId, {}, { signal }),
  addEntry: (category: string, content: string) => callOperation(addEntry, workspaceId, { category, content }),
  editEntry: (id: string, content: string, seen: string) =>
    callOperation(editEntry, workspaceId, { id, content, seen }),
  retireEntry: (id: string) => callOperation(retireEntry, workspaceId, { id }),
  confirmEntry: (id: string) => callOperation(confirmEntry, workspaceId, { id }),
  restoreEntry: (id: string, content: string) => callOperation(restoreEntry, workspaceId, { id, content }),
});

export const factsKey = (workspaceId: string) => ["facts", workspaceId] as const;
