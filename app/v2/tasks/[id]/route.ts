import { deleteTask, getTask, updateTask } from "#lib/domain/crm/tasks/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(getTask);
export const PATCH = route(updateTask);
export const DELETE = route(deleteTask);
