// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/crm/leads/contract.ts";

export const changeLead = operationAt<typeof contract.changeLead>("PATCH /v2/leads/:id");
export const changeLeadList = operationAt<typeof contract.changeLeadList>("PATCH /v2/lead-lists/:id");
export const changeLeads = operationAt<typeof contract.changeLeads>("POST /v2/leads/bulk-update");
export const createLead = operationAt<typeof contract.createLead>("POST /v2/leads");
export const createLeadList = operationAt<typeof contract.createLeadList>("POST /v2/lead-lists");
export const createLeads = operationAt<typeof contract.createLeads>("POST /v2/leads/bulk");
export const deleteLead = operationAt<typeof contract.deleteLead>("DELETE /v2/leads/:id");
export const deleteLeadList = operationAt<typeof contract.deleteLeadList>("DELETE /v2/lead-lists/:id");
export const deleteLeads = operationAt<typeof contract.deleteLeads>("POST /v2/leads/bulk-delete");
export const getLead = operationAt<typeof contract.getLead>("GET /v2/leads/:id");
export const getLeadList = operationAt<typeof contract.getLeadList>("GET /v2/lead-lists/:id");
export const listLeadLists = operationAt<typeof contract.listLeadLists>("GET /v2/lead-lists");
export const listLeads = operationAt<typeof contract.listLeads>("GET /v2/leads");
