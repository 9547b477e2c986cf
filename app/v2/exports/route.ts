import { createExport, listExports } from "#lib/domain/workspace/exports/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(listExports);
export const POST = route(createExport);
