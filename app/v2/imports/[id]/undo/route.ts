import { undoImport } from "#lib/domain/imports/service.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(undoImport);
