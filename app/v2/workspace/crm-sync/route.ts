import { configureCrmSync, getCrmSync } from "#lib/domain/integrations/crm-sync/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(getCrmSync);
export const POST = route(configureCrmSync);
