import { listInboundDeliveries } from "#lib/domain/integrations/inbound/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(listInboundDeliveries);
