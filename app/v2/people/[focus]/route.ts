import { getPerson } from "#lib/domain/contacts/service.ts";
import { patchPerson } from "#lib/domain/people/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(getPerson);
export const PATCH = route(patchPerson);
