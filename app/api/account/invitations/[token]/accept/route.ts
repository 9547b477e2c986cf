import { acceptInvitation } from "#lib/domain/members/service.ts";
import { accountRoute } from "#lib/http/account-route.ts";

export const POST = accountRoute(acceptInvitation);
