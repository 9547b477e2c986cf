import { sendTestDelivery } from "#lib/domain/integrations/inbound/service.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(sendTestDelivery);
