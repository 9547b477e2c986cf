import { getImport, patchImport } from "#lib/domain/workspace/imports/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(getImport);
export const PATCH = route(patchImport);
