import { getAccountScore } from "#lib/domain/knowledge/scoring/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(getAccountScore);
