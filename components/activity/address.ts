import { parseAsString, parseAsStringLiteral, type StateOf } from "#components/ui/query-state.ts";

/** The types of activities, as the API names them; lib/domain/knowledge/observations/contract.ts holds the list. */
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

/** The state that the page keeps in its address. */
export const feedAddress = {
  type: parseAsStringLiteral(feedTypes),
  /** Id of a person or company. */
  entity: parseAsString,
  source: parseAsString,
  /** Days of the reader's zone, both included. */
  from: parseAsString,
  to: parseAsString,
};

export type FeedPlace = StateOf<typeof feedAddress>;
