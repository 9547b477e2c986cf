import { changeTrigger, deleteTrigger, getTrigger } from "#lib/domain/integrations/triggers/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(getTrigger);
export const PATCH = route(changeTrigger);
export const DELETE = route(deleteTrigger);
