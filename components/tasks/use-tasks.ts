import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { toastProblem } from "#components/records/toast-problem.ts";
import { useOptimistic } from "#components/records/use-optimistic.ts";
import { toastWithUndo } from "#components/ui/toaster.tsx";
import {
  type NewTask,
  type Task,
  type TaskChange,
  type TaskFilter,
  type TaskPage,
  taskCallsOf,
  tasksKey,
} from "./calls.ts";

/** The fields with which a deleted task is added again. */
const again = ({ title, due, entity_id, assignee, done }: Task): NewTask => ({
  title,
  done,
  ...(due ? { due } : {}),
  ...(entity_id ? { focus: entity_id } : {}),
  ...(assignee ? { assignee: assignee.email } : {}),
});

const without = (page: TaskPage, id: string): TaskPage => ({
  ...page,
  tasks: page.tasks.filter((each) => each.id !== id),
});

/** What the server read for the page. */
export type InitialTasks = { initial: TaskPage; readAt: number };

/** Tasks, and what can be done with them; ticking and deleting is shown at once and can be undone. */
export function useTasks(workspaceId: string, filter: TaskFilter, read: InitialTasks | null = null) {
  const client = useQueryClient();
  const { assignee, focus, done } = filter;
  const queryKey = useMemo(
    () => [...tasksKey(workspaceId), { assignee, focus, done: done ?? false }],
    [workspaceId, assignee, focus, done],
  );
  const scope = useMemo(() => ({ queryKey, exact: true }), [queryKey]);
  const calls = useMemo(() => taskCallsOf(workspaceId), [workspaceId]);
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => calls.list(filter, signal),
    ...(read ? { initialData: () => read.initial, initialDataUpdatedAt: read.readAt } : {}),
  });
  const { shown, change } = useOptimistic<TaskPage | undefined>(scope, query.data);
  const refresh = async () => {
    void client.invalidateQueries({ queryKey: ["home", workspaceId, "attention"] });
    await client.invalidateQueries({ queryKey: tasksKey(workspaceId) });
  };

  /** Undoing is told when it fails. */
  const undoing = (call: () => Promise<unknown>) => async () => {
    try {
      await call();
      await refresh();
    } catch (error) {
      toastProblem(error);
    }
  };

  return {
    query,
    tasks: shown?.tasks,
    more: shown?.has_more === true,
    async tick(task: Task): Promise<void> {
      const next = !task.done;
      const call = () => calls.change(task.id, { done: next });
      if (!(await change({ show: (page) => without(page, task.id), call }))) return;
      await refresh();
      toastWithUndo(
        next ? `“${task.title}” is done.` : `“${task.title}” is open again.`,
        undoing(() => calls.change(task.id, { done: !next })),
      );
    },
    async remove(task: Task): Promise<void> {
      const call = () => calls.remove(task.id);
      if (!(await change({ show: (page) => without(page, task.id), call }))) return;
      await refresh();
      toastWithUndo(
        `“${task.title}” is deleted.`,
        undoing(() => calls.add(again(task))),
      );
    },
    /** Throws when it is refused; the dialog says why. */
    async save(task: Task | null, change: TaskChange & { title: string }): Promise<void> {
      if (task) await calls.change(task.id, change);
      else {
        const { due, assignee: to, ...rest } = change;
        await calls.add({
          title: rest.title,
          ...(due ? { due } : {}),
          ...(to ? { assignee: to } : {}),
          ...(focus ? { focus } : {}),
        });
      }
      await refresh();
    },
  };
}

export type Tasks = ReturnType<typeof useTasks>;
