import { createTrigger, listTriggers } from "#lib/domain/integrations/triggers/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(listTriggers);
export const POST = route(createTrigger);
