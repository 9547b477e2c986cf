import { renewRecoveryCodes } from "#lib/domain/access/second-factor/service.ts";
import { userRoute } from "#lib/http/user-route.ts";

export const POST = userRoute(renewRecoveryCodes);
