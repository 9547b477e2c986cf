import { setWorkspaceProfile } from "#lib/domain/workspace/workspace-status/service.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(setWorkspaceProfile);
