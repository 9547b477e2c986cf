import { leaveWorkspace } from "#lib/domain/access/members/service.ts";
import { userRoute } from "#lib/http/user-route.ts";

export const DELETE = userRoute(leaveWorkspace);
