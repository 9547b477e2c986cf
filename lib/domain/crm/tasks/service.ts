export { countOpenTasks, type DueTask, findOpenTasks, type OpenTask } from "./queries.ts";
export { createTask, deleteTask, updateTask } from "./service/change.ts";
export { followMerge, followUnmerge, forgetInTasks, releaseTasks } from "./service/follow.ts";
export { dueTasks, getTask, listTasks } from "./service/read.ts";
