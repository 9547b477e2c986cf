import { undoBulkAction } from "#lib/domain/bulk-actions/service.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(undoBulkAction);
