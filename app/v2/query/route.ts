import { queryObservations } from "#lib/domain/query/service.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(queryObservations);
