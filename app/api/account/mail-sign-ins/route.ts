import { startMailSignIn } from "#lib/domain/integrations/mailboxes/service.ts";
import { userRoute } from "#lib/http/user-route.ts";

export const POST = userRoute(startMailSignIn);
