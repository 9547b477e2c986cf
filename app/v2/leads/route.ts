import { createLead, listLeads } from "#lib/domain/crm/leads/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(listLeads);
export const POST = route(createLead);
