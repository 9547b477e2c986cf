import { wordsOf } from "#components/records/names.ts";
import type { ActivityInput } from "./calls.ts";

/** What one logs by hand; visits, opened and bounced e-mails are seen by machines. */
const types = [
  "call",
  "meeting_held",
  "meeting_scheduled",
  "email_sent",
  "email_received",
  "linkedin_message",
  "note",
  "custom",
] as const satisfies readonly ActivityInput["type"][];

export type LoggedType = (typeof types)[number];

export const activityChoices = types.map((type) => ({
  value: type,
  label: type === "custom" ? "Something else" : wordsOf(type),
}));

/** Only what is arranged lies ahead. */
export const mayLieAhead = (type: LoggedType): boolean => type === "meeting_scheduled";
