import { parseAsStringLiteral } from "nuqs/server";

/** What may happen with a contact, as the API names it; lib/domain/observations/contract.ts holds the list. */
export const feedTypes = [
  "email_sent",
  "email_received",
  "email_opened",
  "email_bounced",
  "call",
  "meeting_scheduled",
  "meeting_held",
  "meeting_cancelled",
  "website_visit",
  "linkedin_message",
  "note",
  "custom",
] as const;

/** The state of the page that its address keeps. */
export const feedAddress = { type: parseAsStringLiteral(feedTypes) };
