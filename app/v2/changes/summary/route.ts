import { summariseChanges } from "#lib/domain/knowledge/changes/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(summariseChanges);
