import type { Email } from "postal-mime";
import { isDeliveryStatus } from "./bounces.ts";
import { headerOf, headersOf } from "./message.ts";

/**
 * What sort of mail it is. `auto_reply`: a machine wrote it, so no one answered. `group`: to a list or in bulk, so its
 * participants did not write to each other.
 */
export type MailKind = "person" | "auto_reply" | "group" | "bounce" | "calendar";

/** Subjects of vacation replies in the languages of Exchange; without `Re:`, which a person's answer to one has. */
const AUTOMATIC = new RegExp(
  `^(?:(?:${[
    ...["automatic reply", "auto(?:matic)?[- ]?(?:reply|response)", "out of (?:the )?office"],
    ...["automatische antwort", "abwesenheit(?:snotiz|snachricht)?", "réponse automatique", "absence du bureau"],
    ...["respuesta automática", "resposta automática", "risposta automatica", "automatisch antwoord"],
    ...["autosvar", "automatiskt? svar", "automaattinen vastaus", "automatyczna odpowiedź", "автоматический ответ"],
    ...["otomatik yanıt"],
  ].join("|")})(?!\\p{L})|${["自動応答", "自動返信", "自动答复", "自动回复", "自動回覆"].join("|")})`,
  "iu",
);

const FAILED =
  /^(?:undeliverable|undelivered mail|returned mail|mail delivery (?:failed|failure|system)|delivery (?:status notification|failure|has failed|incomplete)|failure notice|unzustellbar|nicht zustellbar|non remis|no se puede entregar|niet te bezorgen|non recapitabile|impossibile recapitare)/i;

export function kindOf(email: Email, bounces: number): MailKind {
  const contentType = headerOf(email, "content-type").toLowerCase();
  const isReport = /^\s*multipart\/report\b/.test(contentType);
  const subject = email.subject ?? "";
  const sender = senderOf(email);
  const fromServer = /^(?:mailer-daemon|postmaster|mail-daemon)@/i.test(sender);
  const reports = email.attachments.some(isDeliveryStatus);
  if (bounces > 0 && (reports || fromServer || headerOf(email, "x-failed-recipients") !== "")) return "bounce";
  if (fromServer && !reports && FAILED.test(subject)) return "bounce";
  // A receipt, or a report of success.
  if (isReport || reports) return "auto_reply";
  if (email.attachments.some(({ mimeType, method }) => isCalendar(mimeType) && method !== undefined)) return "calendar";
  if (answersByItself(email)) return "auto_reply";
  if (isForGroup(email)) return "group";
  const generated = /^\s*auto-(?!.*\bno\b)/i.test(headerOf(email, "auto-submitted"));
  const nullSender = headerOf(email, "return-path").trim() === "<>";
  return generated || nullSender || fromServer || AUTOMATIC.test(subject) ? "auto_reply" : "person";
}

const senderOf = ({ from, sender }: Email): string => from?.address ?? sender?.address ?? "";

const isCalendar = (type: string): boolean => type === "text/calendar" || type === "application/ics";

/** What answers by itself says so (RFC 3834), or in one of the headers from before. */
function answersByItself(email: Email): boolean {
  return (
    /^\s*auto-(?:replied|notified)/i.test(headerOf(email, "auto-submitted")) ||
    ["x-autoreply", "x-autorespond", "x-autoresponder", "x-vacation"].some((key) => saysYes(headersOf(email, key))) ||
    /\bauto_?reply\b/i.test(headerOf(email, "precedence")) ||
    /vacation|auto-?repl/i.test(headerOf(email, "x-mail-autoreply"))
  );
}

const saysYes = (values: readonly string[]): boolean => values.some((value) => !/^\s*(?:no|false|0)?\s*$/i.test(value));

const isForGroup = (email: Email): boolean =>
  ["list-id", "list-post", "list-unsubscribe", "list-help", "mailing-list"].some(
    (key) => headerOf(email, key) !== "",
  ) || /^\s*(?:bulk|list|junk)\b/i.test(headerOf(email, "precedence"));
