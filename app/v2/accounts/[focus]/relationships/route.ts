import { getRelationships } from "#lib/domain/knowledge/relationships/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(getRelationships);
