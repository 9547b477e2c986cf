import { createLeadList, listLeadLists } from "#lib/domain/crm/leads/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(listLeadLists);
export const POST = route(createLeadList);
