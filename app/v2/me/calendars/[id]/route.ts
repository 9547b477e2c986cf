import { updateCalendar } from "#lib/domain/integrations/calendars/service.ts";
import { route } from "#lib/http/route.ts";

export const PATCH = route(updateCalendar);
