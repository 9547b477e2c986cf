import { getCompany } from "#lib/domain/contacts/service.ts";
import { patchCompany } from "#lib/domain/people/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(getCompany);
export const PATCH = route(patchCompany);
