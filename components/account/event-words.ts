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
