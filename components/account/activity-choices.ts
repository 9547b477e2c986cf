import { wordsOf } from "#components/records/names.ts";
import type { ActivityInput } from "./calls.ts";

/** Activities that people log by hand; machines report visits, opened and bounced e-mails. */
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

/** Only arranged meetings may be in the future. */
export const mayLieAhead = (type: LoggedType): boolean => type === "meeting_scheduled";
