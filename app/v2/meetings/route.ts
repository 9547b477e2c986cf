import { listMeetings } from "#lib/domain/knowledge/meetings/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(listMeetings);
