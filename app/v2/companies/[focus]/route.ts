import { patchCompany } from "#lib/domain/crm/people/service.ts";
import { getCompany } from "#lib/domain/knowledge/contacts/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(getCompany);
export const PATCH = route(patchCompany);
