import { wordsOf } from "#components/records/names.ts";
import type { Event } from "./calls.ts";

/** What an activity is called in the middle of a sentence. */
export const nounOf = (type: string): string => nouns.get(type) ?? "activity";

const nouns: ReadonlyMap<string, string> = new Map([
  ["email_sent", "e-mail"],
  ["email_received", "reply"],
  ["email_opened", "opened e-mail"],
  ["email_bounced", "bounced e-mail"],
  ["call", "call"],
  ["meeting_scheduled", "meeting"],
  ["meeting_held", "meeting"],
  ["meeting_cancelled", "meeting"],
  ["website_visit", "visit"],
  ["linkedin_message", "message"],
  ["note", "note"],
]);

/** What is still to come: "Meeting in 3h", where "Meeting scheduled in 3h" would say when it is scheduled. */
export const comingWords = (type: string): string => (type === "meeting_scheduled" ? "Meeting" : wordsOf(type));

const DAY_MS = 86_400_000;

/** Mailboxes and calendars are read from before they were connected: that says nothing. What is made up was never late. */
const READ_LATER: ReadonlySet<string> = new Set(["email", "calendar", "sample"]);

/** By how much later than it happened an event was recorded; null within a day. A correction was recorded before. */
export function lateWords(event: Pick<Event, "observed_at" | "recorded_at" | "corrects" | "source">): string | null {
  if (event.corrects || READ_LATER.has(event.source)) return null;
  const days = Math.floor((Date.parse(event.recorded_at) - Date.parse(event.observed_at)) / DAY_MS);
  if (days < 1) return null;
  const [count, unit] =
    days < 60 ? [days, "day"] : days < 730 ? [Math.round(days / 30.44), "month"] : [Math.round(days / 365.25), "year"];
  return `Recorded ${count} ${unit}${count === 1 ? "" : "s"} later`;
}
