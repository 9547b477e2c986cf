import { getDeviceLogin } from "#lib/domain/access/device-logins/service.ts";
import { userRoute } from "#lib/http/user-route.ts";

export const GET = userRoute(getDeviceLogin);
