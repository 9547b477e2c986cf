import { connectMailbox, listMailboxes } from "#lib/domain/integrations/mailboxes/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(listMailboxes);
export const POST = route(connectMailbox);
