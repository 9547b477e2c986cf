import { changeLeadList, deleteLeadList, getLeadList } from "#lib/domain/crm/leads/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(getLeadList);
export const PATCH = route(changeLeadList);
export const DELETE = route(deleteLeadList);
