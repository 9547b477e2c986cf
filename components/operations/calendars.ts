// Written from the contracts by `npm run operations`. A change here would be lost.
import { operationAt } from "#components/api.ts";
import type * as contract from "#lib/domain/integrations/calendars/contract.ts";

export const connectCalendar = operationAt<typeof contract.connectCalendar>("POST /v2/me/calendars");
export const disconnectCalendar = operationAt<typeof contract.disconnectCalendar>(
  "POST /v2/me/calendars/:id/disconnect",
);
export const listCalendars = operationAt<typeof contract.listCalendars>("GET /v2/me/calendars");
export const listServerCalendars = operationAt<typeof contract.listServerCalendars>("GET /calendars/:id/at-server");
export const syncCalendar = operationAt<typeof contract.syncCalendar>("POST /v2/me/calendars/:id/sync");
export const testCalendar = operationAt<typeof contract.testCalendar>("POST /v2/me/calendars/test");
export const updateCalendar = operationAt<typeof contract.updateCalendar>("PATCH /v2/me/calendars/:id");
