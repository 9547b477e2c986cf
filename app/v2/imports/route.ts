import { createImport, listImports } from "#lib/domain/workspace/imports/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(listImports);
export const POST = route(createImport);
