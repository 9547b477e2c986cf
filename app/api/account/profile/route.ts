import { getProfile, updateProfile } from "#lib/domain/accounts/service.ts";
import { accountRoute } from "#lib/http/account-route.ts";

export const GET = accountRoute(getProfile);
export const PATCH = accountRoute(updateProfile);
