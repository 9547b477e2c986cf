import { patchPerson } from "#lib/domain/crm/people/service.ts";
import { getPerson } from "#lib/domain/knowledge/contacts/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(getPerson);
export const PATCH = route(patchPerson);
