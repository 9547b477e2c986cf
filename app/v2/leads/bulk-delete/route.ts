import { deleteLeads } from "#lib/domain/leads/service.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(deleteLeads);
