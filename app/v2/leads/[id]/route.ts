import { changeLead, deleteLead, getLead } from "#lib/domain/crm/leads/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(getLead);
export const PATCH = route(changeLead);
export const DELETE = route(deleteLead);
