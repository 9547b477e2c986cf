import { searchNotes } from "#lib/domain/knowledge/search/service.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(searchNotes);
