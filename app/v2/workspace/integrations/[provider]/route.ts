import { disconnectIntegration } from "#lib/domain/integrations/connections/service.ts";
import { route } from "#lib/http/route.ts";

export const DELETE = route(disconnectIntegration);
