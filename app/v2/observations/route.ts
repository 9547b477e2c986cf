import { recordObservations } from "#lib/domain/knowledge/observations/service.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(recordObservations);
