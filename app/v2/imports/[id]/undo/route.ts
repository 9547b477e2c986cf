import { undoImport } from "#lib/domain/workspace/imports/service.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(undoImport);
