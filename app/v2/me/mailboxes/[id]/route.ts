import { updateMailbox } from "#lib/domain/integrations/mailboxes/service.ts";
import { route } from "#lib/http/route.ts";

export const PATCH = route(updateMailbox);
