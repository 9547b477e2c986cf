import { correctActivity, removeActivity } from "#lib/domain/crm/activities/service.ts";
import { route } from "#lib/http/route.ts";

export const PATCH = route(correctActivity);
export const DELETE = route(removeActivity);
