import { callOperation } from "#components/api.ts";
import { changeView, deleteView, listViews, saveView } from "#components/operations/saved-views.ts";
import type { ViewSubject } from "#lib/domain/crm/saved-views/contract.ts";

export type ViewFields = { name: string; place: string; shared: boolean; pinned?: boolean };

/** The requests of a list's views menu. */
export const viewCallsOf = (workspaceId: string, listed: ViewSubject) => ({
  list: async (signal: AbortSignal) =>
    (await callOperation(listViews, workspaceId, { list: listed }, { signal })).views,
  save: async (fields: ViewFields) => (await callOperation(saveView, workspaceId, { list: listed, ...fields })).view,
  change: async (id: string, fields: Partial<ViewFields>) =>
    (await callOperation(changeView, workspaceId, { id, ...fields })).view,
  remove: async (id: string) => (await callOperation(deleteView, workspaceId, { id })).view,
});
