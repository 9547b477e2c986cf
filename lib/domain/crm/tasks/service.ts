export type { DueTask, OpenTask } from "./queries.ts";
export { createTask, deleteTask, updateTask } from "./service/change.ts";
export { followMerge, followUnmerge, forgetInTasks, releaseTasks } from "./service/follow.ts";
export { dueTasks, getTask, listTasks, openTasksOf } from "./service/read.ts";
