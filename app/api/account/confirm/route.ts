import { confirmIdentity } from "#lib/domain/access/second-factor/service.ts";
import { userRoute } from "#lib/http/user-route.ts";

export const POST = userRoute(confirmIdentity);
