import { getTriggerDelivery } from "#lib/domain/integrations/triggers/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(getTriggerDelivery);
