import { deleteExport, getExport } from "#lib/domain/workspace/exports/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(getExport);
export const DELETE = route(deleteExport);
