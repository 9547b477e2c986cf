import { connectCalendar, listCalendars } from "#lib/domain/integrations/calendars/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(listCalendars);
export const POST = route(connectCalendar);
