import { getCrmRun } from "#lib/domain/integrations/crm-sync/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(getCrmRun);
