import { cancelExport } from "#lib/domain/workspace/exports/service.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(cancelExport);
