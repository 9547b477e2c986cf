import { createBulkAction, listBulkActions } from "#lib/domain/crm/bulk-actions/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(listBulkActions);
export const POST = route(createBulkAction);
