import { upsertPeople } from "#lib/domain/crm/people/service.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(upsertPeople);
