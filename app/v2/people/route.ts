import { listPeople, upsertPerson } from "#lib/domain/crm/people/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(listPeople);
export const POST = route(upsertPerson);
