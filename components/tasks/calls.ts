import type { z } from "zod";
import { callOperation } from "#components/api.ts";
import { createTask, deleteTask, listTasks, updateTask } from "#components/operations/tasks.ts";
import type * as contract from "#lib/domain/crm/tasks/contract.ts";
import type { Task } from "#lib/domain/crm/tasks/contract.ts";

export type { Task };
export type NewTask = z.input<typeof contract.createTask.input>;
export type TaskChange = Omit<z.input<typeof contract.updateTask.input>, "id">;

/** Whose tasks, or about which record. */
export type TaskFilter = { assignee?: "me"; focus?: string; done?: boolean };

/** The key under which all tasks of a workspace are kept. */
export const tasksKey = (workspaceId: string) => ["tasks", workspaceId] as const;

/** What a card reads, on the server too: as many as it has, the next due first. */
export const tasksPage = (filter: TaskFilter) =>
  ({ ...filter, limit: 50, sort: filter.done ? "created_desc" : "due_asc" }) as const;

/** The tasks of the reader that are to do. */
export const MINE = { assignee: "me" } as const satisfies TaskFilter;

export const taskCallsOf = (workspaceId: string) => ({
  list: (filter: TaskFilter, signal: AbortSignal) =>
    callOperation(listTasks, workspaceId, tasksPage(filter), { signal }),
  add: (task: NewTask) => callOperation(createTask, workspaceId, task),
  change: (id: string, change: TaskChange) => callOperation(updateTask, workspaceId, { id, ...change }),
  remove: (id: string) => callOperation(deleteTask, workspaceId, { id }),
});

export type TaskPage = Awaited<ReturnType<ReturnType<typeof taskCallsOf>["list"]>>;
