import { getImport, patchImport } from "#lib/domain/imports/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(getImport);
export const PATCH = route(patchImport);
