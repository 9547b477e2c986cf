export {
  connectCalendar,
  disconnectCalendar,
  listCalendars,
  syncCalendar,
  testCalendar,
  updateCalendar,
} from "./service/calendars.ts";
