export {
  connectCalendar,
  disconnectCalendar,
  listCalendars,
  listServerCalendars,
  syncCalendar,
  testCalendar,
  updateCalendar,
} from "./service/calendars.ts";
