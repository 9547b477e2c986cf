import { searchNotes } from "#lib/domain/knowledge/notes/service.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(searchNotes);
