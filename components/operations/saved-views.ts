// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/crm/saved-views/contract.ts";

export const changeView = operationAt<typeof contract.changeView>("PATCH /views/:id");
export const deleteView = operationAt<typeof contract.deleteView>("DELETE /views/:id");
export const listViews = operationAt<typeof contract.listViews>("GET /views");
export const saveView = operationAt<typeof contract.saveView>("POST /views");
