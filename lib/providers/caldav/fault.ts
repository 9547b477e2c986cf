export type CalendarTrouble =
  | "refused_login"
  | "unreachable"
  | "tls"
  | "timeout"
  | "throttled"
  | "private_address"
  | "not_found"
  | "not_calendar"
  | "too_large";

const sentences: Readonly<Record<CalendarTrouble, string>> = {
  refused_login: "The calendar server refuses the user name or the password.",
  unreachable: "The calendar server cannot be reached.",
  tls: "No encrypted connection that can be trusted is possible with the calendar server.",
  timeout: "The calendar server did not answer in time.",
  throttled: "The calendar server asks to slow down.",
  private_address: "Its address is not one of the public internet.",
  not_found: "There is no calendar at this address.",
  not_calendar: "What it answers is no calendar as it can be read.",
  too_large: "It answers more than a calendar holds.",
};

/** Why a calendar could not be read, in a sentence of ours. What the server said is not in it: it may repeat a password. */
export class CalendarFault extends Error {
  override name = "CalendarFault";
  readonly reason: CalendarTrouble;
  readonly retryAfterMs?: number;

  constructor(reason: CalendarTrouble, retryAfterMs?: number) {
    super(sentences[reason]);
    this.reason = reason;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
  }
}
