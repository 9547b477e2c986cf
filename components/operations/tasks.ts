// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/crm/tasks/contract.ts";

export const createTask = operationAt<typeof contract.createTask>("POST /v2/tasks");
export const deleteTask = operationAt<typeof contract.deleteTask>("DELETE /v2/tasks/:id");
export const getTask = operationAt<typeof contract.getTask>("GET /v2/tasks/:id");
export const listTasks = operationAt<typeof contract.listTasks>("GET /v2/tasks");
export const updateTask = operationAt<typeof contract.updateTask>("PATCH /v2/tasks/:id");
