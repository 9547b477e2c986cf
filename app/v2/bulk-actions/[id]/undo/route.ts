import { undoBulkAction } from "#lib/domain/crm/bulk-actions/service.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(undoBulkAction);
