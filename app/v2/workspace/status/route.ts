import { getWorkspaceStatus } from "#lib/domain/workspace/workspace-status/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(getWorkspaceStatus);
