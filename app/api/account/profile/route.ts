import { getProfile, updateProfile } from "#lib/domain/workspace/users/service.ts";
import { userRoute } from "#lib/http/user-route.ts";

export const GET = userRoute(getProfile);
export const PATCH = userRoute(updateProfile);
