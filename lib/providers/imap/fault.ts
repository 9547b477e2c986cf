export type MailTrouble =
  | "refused_login"
  | "unreachable"
  | "not_imap"
  | "tls"
  | "timeout"
  | "throttled"
  | "closed"
  | "private_address"
  | "no_folder"
  | "sign_in_over"
  | "sign_in_failed";

const sentences: Readonly<Record<MailTrouble, string>> = {
  refused_login: "The mail server refuses the user name or the password.",
  unreachable: "The mail server cannot be reached.",
  not_imap: "What it answers is not IMAP as it can be read.",
  tls: "No encrypted connection that can be trusted is possible with the mail server.",
  timeout: "The mail server did not answer in time.",
  throttled: "The mail server asks to slow down.",
  closed: "The mail server closed the connection.",
  private_address: "Its address is not one of the public internet.",
  no_folder: "The mail server does not open this folder.",
  sign_in_over: "The provider wants its account's owner to sign in again.",
  sign_in_failed: "The provider gave no access to the mailbox.",
};

/**
 * Why a mail server could not be read, in a sentence of ours: what the server or the driver said may repeat a password, so it is
 * neither in the message nor the cause.
 */
export class MailFault extends Error {
  override name = "MailFault";
  readonly reason: MailTrouble;
  readonly retryAfterMs?: number;

  constructor(reason: MailTrouble, { message, retryAfterMs }: { message?: string; retryAfterMs?: number } = {}) {
    super(message ?? sentences[reason]);
    this.reason = reason;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
  }
}

/** What imapflow and Node put on their errors, as far as it is read. */
type DriverError = {
  code?: unknown;
  authenticationFailed?: unknown;
  tlsFailed?: unknown;
  serverResponseCode?: unknown;
  responseStatus?: unknown;
  responseText?: unknown;
  response?: unknown;
  reason?: unknown;
  throttleReset?: unknown;
};

const SLOW_DOWN =
  /too many|exceeded|throttl|bandwidth|try again|temporar|connection limit|max(?:imum)? .{0,20}connections/i;
/** Response codes of RFC 5530 and of providers that mean: later. */
const LATER = new Set(["LIMIT", "INUSE", "UNAVAILABLE", "OVERQUOTA", "THROTTLED", "SERVERBUG"]);
const WANTS_APP_PASSWORD = /app(?:lication)?[- ]?(?:specific)?[- ]?password/i;
const TLS_CODE = /^(?:ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|STARTTLS_)/;
const UNREACHABLE = new Set([
  ...["ENOTFOUND", "EAI_AGAIN", "EAI_FAIL", "ENODATA", "ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL"],
  "ENETDOWN",
]);
const TIMED_OUT = new Set(["CONNECT_TIMEOUT", "GREETING_TIMEOUT", "UPGRADE_TIMEOUT", "ETIMEOUT", "ETIMEDOUT"]);
const NOT_IMAP = new Set([
  ...[
    "LiteralTooLarge",
    "LineTooLong",
    "ResponseTooLarge",
    "MaxLineLengthExceeded",
    "InvalidResponse",
    "UnexpectedTag",
  ],
  "ResponseProcessingFailed",
]);
/** As long as a server that does not say it is left alone. */
const LATER_MS = 5 * 60_000;

/** The fault that an error of the driver means. */
export function faultOf(error: unknown): MailFault {
  if (error instanceof MailFault) return error;
  if (error instanceof Error && error.name === "NotPublic") return new MailFault("private_address");
  if (error instanceof AggregateError && error.errors.length > 0) return faultOf(error.errors[0]);
  const said = (typeof error === "object" && error !== null ? error : {}) as DriverError;
  const code = typeof said.code === "string" ? said.code : "";
  const text = [said.responseText, said.response, said.reason].filter((one) => typeof one === "string").join(" ");
  const serverCode = typeof said.serverResponseCode === "string" ? said.serverResponseCode.toUpperCase() : "";
  if (typeof said.throttleReset === "number" || code === "ETHROTTLE")
    return throttled(typeof said.throttleReset === "number" ? said.throttleReset : LATER_MS);
  if (LATER.has(serverCode)) return throttled(LATER_MS);
  if (said.authenticationFailed === true) {
    if (SLOW_DOWN.test(text)) return throttled(LATER_MS);
    if (WANTS_APP_PASSWORD.test(text))
      return new MailFault("refused_login", {
        message: "The mail server wants an app password in place of the account's own.",
      });
    return new MailFault("refused_login");
  }
  // It offers no way in that fits.
  if (error instanceof Error && error.message === "Unsupported authentication mechanism")
    return new MailFault("refused_login", { message: "The mail server does not offer this way to sign in." });
  if (TIMED_OUT.has(code)) return new MailFault("timeout");
  if (NOT_IMAP.has(code)) return new MailFault("not_imap");
  if (UNREACHABLE.has(code)) return new MailFault("unreachable");
  if (said.tlsFailed === true || TLS_CODE.test(code)) return new MailFault("tls", tlsMessage(code));
  if (SLOW_DOWN.test(text)) return throttled(LATER_MS);
  return new MailFault("closed");
}

const throttled = (retryAfterMs: number): MailFault => new MailFault("throttled", { retryAfterMs });

/** What is wrong with its certificate, where that can be said. */
function tlsMessage(code: string): { message?: string } {
  if (code === "CERT_HAS_EXPIRED") return { message: "The certificate of the mail server has expired." };
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return { message: "The certificate of the mail server is for another name." };
  if (/SELF_SIGNED|UNABLE_TO_|DEPTH_ZERO/.test(code))
    return { message: "The certificate of the mail server cannot be verified." };
  return {};
}
