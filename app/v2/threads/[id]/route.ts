import { getThread } from "#lib/domain/knowledge/messages/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(getThread);
