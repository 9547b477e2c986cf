import { listSessions } from "#lib/domain/workspace/users/service.ts";
import { userRoute } from "#lib/http/user-route.ts";

export const GET = userRoute(listSessions);
