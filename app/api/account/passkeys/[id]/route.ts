import { removePasskey, renamePasskey } from "#lib/domain/access/passkeys/service.ts";
import { userRoute } from "#lib/http/user-route.ts";

export const PATCH = userRoute(renamePasskey);
export const DELETE = userRoute(removePasskey);
