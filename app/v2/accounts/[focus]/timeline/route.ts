import { getTimeline } from "#lib/domain/knowledge/contacts/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(getTimeline);
