"use client";

import { LoadProblem } from "#components/records/load-problem.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { Loading, Skeleton } from "#components/ui/skeleton.tsx";
import type { Task } from "./calls.ts";
import { TaskRow } from "./task-row.tsx";
import type { Tasks } from "./use-tasks.ts";

const TaskDialog = onDemand("The task", () => import("./task-dialog.tsx").then((module) => module.TaskDialog));

/** Which task is open to be changed: a new one, one of the list, or none. */
export type Editing = Task | "new" | null;

type TaskListProps = {
  workspaceId: string;
  tasks: readonly Task[];
  actions: Tasks;
  here?: boolean;
  onEdit: (task: Task) => void;
};

export function TaskList({ workspaceId, tasks, actions, here, onEdit }: TaskListProps) {
  const now = new Date();
  return (
    <ul className="py-1">
      {tasks.map((task) => (
        <TaskRow
          key={task.id}
          workspaceId={workspaceId}
          task={task}
          now={now}
          {...(here ? { here } : {})}
          onTick={(each) => void actions.tick(each)}
          onEdit={onEdit}
          onRemove={(each) => void actions.remove(each)}
        />
      ))}
    </ul>
  );
}

/** The dialog of the task that is open. */
export function TaskEditor({
  workspaceId,
  editing,
  actions,
  onClose,
}: {
  workspaceId: string;
  editing: Editing;
  actions: Tasks;
  onClose: () => void;
}) {
  if (editing === null) return null;
  const task = editing === "new" ? null : editing;
  return (
    <TaskDialog
      workspaceId={workspaceId}
      task={task}
      onSave={(fields) => actions.save(task, fields)}
      onClose={onClose}
    />
  );
}

/** What is shown while there are no tasks yet, or none can be read. */
export function TasksPending({ query, rows = 2 }: { query: Tasks["query"]; rows?: number }) {
  if (query.error) return <LoadProblem title="Tasks could not be loaded" query={query} className="border-t" />;
  return (
    <Loading label="Loading tasks" className="flex flex-col gap-3 border-t px-4 py-3">
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={`row-${String(row)}`} className="h-9 w-full" />
      ))}
    </Loading>
  );
}
