import { restoreActivity } from "#lib/domain/activities/service.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(restoreActivity);
