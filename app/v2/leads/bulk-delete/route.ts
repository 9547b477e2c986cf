import { deleteLeads } from "#lib/domain/crm/leads/service.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(deleteLeads);
