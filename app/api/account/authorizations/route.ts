import { decideAuthorization } from "#lib/domain/access/oauth/service.ts";
import { userRoute } from "#lib/http/user-route.ts";

export const POST = userRoute(decideAuthorization);
