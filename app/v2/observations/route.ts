import { recordObservations } from "#lib/domain/observations/service.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(recordObservations);
