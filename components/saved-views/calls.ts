import { callOperation, operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/saved-views/contract.ts";
import type { Listed } from "#lib/domain/saved-views/contract.ts";

const list = operationAt<typeof contract.listViews>("GET /views");
const save = operationAt<typeof contract.saveView>("POST /views");
const change = operationAt<typeof contract.changeView>("PATCH /views/:id");
const remove = operationAt<typeof contract.deleteView>("DELETE /views/:id");

export type ViewFields = { name: string; place: string; shared: boolean };

/** What the views menu of a list asks of the server. */
export const viewCallsOf = (workspaceId: string, listed: Listed) => ({
  list: async (signal: AbortSignal) => (await callOperation(list, workspaceId, { list: listed }, { signal })).views,
  save: async (fields: ViewFields) => (await callOperation(save, workspaceId, { list: listed, ...fields })).view,
  change: async (id: string, fields: Partial<ViewFields>) =>
    (await callOperation(change, workspaceId, { id, ...fields })).view,
  remove: async (id: string) => (await callOperation(remove, workspaceId, { id })).view,
});
