import { resetPassword } from "#lib/domain/workspace/users/service.ts";
import { userRoute } from "#lib/http/user-route.ts";

export const POST = userRoute(resetPassword);
