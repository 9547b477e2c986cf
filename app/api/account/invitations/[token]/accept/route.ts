import { acceptInvitation } from "#lib/domain/access/members/service.ts";
import { userRoute } from "#lib/http/user-route.ts";

export const POST = userRoute(acceptInvitation);
