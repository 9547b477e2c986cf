import { revokeSession } from "#lib/domain/accounts/service.ts";
import { accountRoute } from "#lib/http/account-route.ts";

export const DELETE = accountRoute(revokeSession);
