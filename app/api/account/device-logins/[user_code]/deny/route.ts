import { denyDeviceLogin } from "#lib/domain/access/device-logins/service.ts";
import { userRoute } from "#lib/http/user-route.ts";

export const POST = userRoute(denyDeviceLogin);
