import { CalendarFault } from "./fault.ts";
import { Site } from "./http.ts";

/** A private address of a calendar, as Google and Outlook give it: anyone who knows it may read. Null when it has not changed. */
export async function readFeed(
  address: string,
  etag: string | null,
  options: { signal?: AbortSignal } = {},
): Promise<{ ics: string; etag: string | null } | null> {
  const url = URL.parse(address.trim().replace(/^webcals?:\/\//i, "https://"));
  if (!url || url.username || url.password) throw new CalendarFault("not_found");
  const answer = await new Site(url, null, options.signal).ask(url, {
    method: "GET",
    headers: { accept: "text/calendar", ...(etag === null ? {} : { "if-none-match": etag }) },
  });
  if (answer.status === 304) return null;
  if (answer.status !== 200) throw new CalendarFault("not_found");
  if (!/^\uFEFF?\s*BEGIN:VCALENDAR\b/i.test(answer.text)) throw new CalendarFault("not_calendar");
  return { ics: answer.text, etag: answer.etag };
}
