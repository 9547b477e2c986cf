import { getStageRules } from "#lib/domain/crm/stages/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(getStageRules);
