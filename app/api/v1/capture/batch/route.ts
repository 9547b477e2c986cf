import { captureBatch } from "#lib/domain/crm/activities/service.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(captureBatch);
