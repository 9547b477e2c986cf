import { createWorkspace, listMyWorkspaces } from "#lib/domain/workspaces/service.ts";
import { accountRoute } from "#lib/http/account-route.ts";

export const GET = accountRoute(listMyWorkspaces);
export const POST = accountRoute(createWorkspace);
