import { scoreRows } from "#lib/domain/knowledge/scoring/service.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(scoreRows);
