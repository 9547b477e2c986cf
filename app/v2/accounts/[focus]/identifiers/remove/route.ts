import { removeIdentifier } from "#lib/domain/knowledge/contacts/service.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(removeIdentifier);
