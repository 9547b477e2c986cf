import { listActivities } from "#lib/domain/knowledge/feed/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(listActivities);
