import { createWorkspace, listMyWorkspaces } from "#lib/domain/workspace/workspaces/service.ts";
import { userRoute } from "#lib/http/user-route.ts";

export const GET = userRoute(listMyWorkspaces);
export const POST = userRoute(createWorkspace);
