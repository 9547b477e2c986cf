import { connectIntegration, listIntegrations } from "#lib/domain/integrations/connections/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(listIntegrations);
export const POST = route(connectIntegration);
