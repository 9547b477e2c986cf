import { queryObservations } from "#lib/domain/knowledge/query/service.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(queryObservations);
