import { beginPasskeyUse } from "#lib/domain/access/passkeys/service.ts";
import { userRoute } from "#lib/http/user-route.ts";

export const POST = userRoute(beginPasskeyUse);
