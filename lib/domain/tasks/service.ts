export { createTask, deleteTask, updateTask } from "./service/change.ts";
export { announceTasks, followMerge, followUnmerge, forgetInTasks, releaseTasks } from "./service/follow.ts";
export { dueTasks, getTask, listTasks, openTasksOf } from "./service/read.ts";
