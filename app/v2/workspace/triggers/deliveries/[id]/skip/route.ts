import { skipTriggerDelivery } from "#lib/domain/integrations/triggers/service.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(skipTriggerDelivery);
