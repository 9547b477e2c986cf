/** A task as it is kept, without who added it and when. */
export type TaskState = {
  id: string;
  title: string;
  dueAt: Date | null;
  /** it is due on a day; `dueAt` is midnight UTC of it */
  dueOnDay: boolean;
  entityId: string | null;
  addedTo: string | null;
  assigneeId: string | null;
  done: boolean;
  doneAt: Date | null;
  doneBy: string | null;
};

/** What a caller may change of a task; what is not given stays. */
export type TaskChange = {
  title?: string | undefined;
  due?: { time: Date; isDay: boolean } | null | undefined;
  entityId?: string | null | undefined;
  assigneeId?: string | null | undefined;
  done?: boolean | undefined;
};

/** What takes the place of a title that names a person who was erased. */
export const REDACTED = "(title erased)";

/** The task after a change. The first who marks it as done stays the one who did. */
export function afterChange(task: TaskState, change: TaskChange, by: string, at: Date): TaskState {
  const { title = task.title, due, entityId = task.entityId, assigneeId = task.assigneeId, done = task.done } = change;
  return {
    ...task,
    title,
    ...(due === undefined ? {} : { dueAt: due?.time ?? null, dueOnDay: due?.isDay ?? false }),
    ...(entityId === task.entityId ? {} : { entityId, addedTo: entityId }),
    assigneeId,
    ...(done === task.done ? {} : { done, doneAt: done ? at : null, doneBy: done ? by : null }),
  };
}

/** The moment a task's `due` text means, as it is sorted. */
export const momentOf = (due: string | null): string | null =>
  due !== null && due.length === "2026-06-03".length ? `${due}T00:00:00.000Z` : due;
