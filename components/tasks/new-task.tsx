"use client";

import { TaskDialog } from "./task-dialog.tsx";
import { useTasks } from "./use-tasks.ts";

type NewTaskProps = { workspaceId: string; entityId: string; onClose: () => void };

/** Adds a task about a record. */
export function NewTask({ workspaceId, entityId, onClose }: NewTaskProps) {
  const { save } = useTasks(workspaceId, { focus: entityId });
  return <TaskDialog workspaceId={workspaceId} task={null} onSave={(fields) => save(null, fields)} onClose={onClose} />;
}
