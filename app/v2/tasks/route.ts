import { createTask, listTasks } from "#lib/domain/crm/tasks/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(listTasks);
export const POST = route(createTask);
