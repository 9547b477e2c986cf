import { previewStageRules } from "#lib/domain/crm/stages/service.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(previewStageRules);
