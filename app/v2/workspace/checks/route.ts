import { getChecks } from "#lib/domain/workspace/checks/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(getChecks);
