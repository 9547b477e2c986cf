/** What a mail says, from its bytes. Nothing here asks anyone, and nothing takes longer than the mail is long. */
import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import PostalMime, { type Address, type Email } from "postal-mime";
import { normaliseEmail } from "../mailbox.ts";
import type { MailAddress } from "./address.ts";
import { type Bounced, bouncedIn, isDeliveryStatus } from "./bounces.ts";
import { textOfHtml } from "./html.ts";
import { kindOf, type MailKind } from "./kind.ts";
import { clean, headerOf } from "./message.ts";
import { baseSubjectOf } from "./subject.ts";
import { visibleOf } from "./visible.ts";

export type { MailAddress } from "./address.ts";
export type { MailKind } from "./kind.ts";

export type ParsedMail = {
  /** without angle brackets */
  messageId: string | null;
  /** what makes it the same message in two mailboxes: its Message-ID, else `hash:` and a hash of date, sender and body */
  key: string;
  /** the messages it answers, the oldest first */
  references: string[];
  inReplyTo: string | null;
  subject: string | null;
  /** without `Re:` and the like; empty when there is none */
  baseSubject: string;
  from: MailAddress | null;
  sender: MailAddress | null;
  replyTo: MailAddress[];
  to: MailAddress[];
  cc: MailAddress[];
  bcc: MailAddress[];
  date: Date | null;
  /** the whole text; of HTML, what a person would see */
  text: string;
  /** the text without quotes and signature */
  visible: string;
  attachments: { name: string; type: string; size: number }[];
  kind: MailKind;
  /** recipients whom a delivery report names */
  bounced: Bounced[];
};

/** Not even its headers can be read. */
export class MailUnreadable extends Error {
  override name = "MailUnreadable";
}

const MOST_ADDRESSES = 2_000;
const MOST_REFERENCES = 100;
const MOST_ATTACHMENTS = 200;
/** Beside a line for every so many bytes: an attachment has one for 78. */
const MOST_LINES = 20_000;
const SHORT_LINE = 40;

/** Throws `MailUnreadable`, and nothing else. */
export async function parseMail(source: Buffer): Promise<ParsedMail> {
  const email = await read(source);
  const written = clean(email.text ?? "");
  const text = tidy(written.trim() === "" ? textOfHtml(clean(email.html ?? "")) : written);
  const messageId = idsIn(email.messageId ?? "")[0] ?? null;
  const subject = singleLine(email.subject ?? "", 2_000);
  const bounced = bouncedIn(email, text);
  const from = addressesIn(email.from ? [email.from] : [])[0] ?? null;
  const date = dateOf(email.date);
  return {
    messageId,
    key: messageId ?? `hash:${hashOf(email.date ?? "", from?.address ?? "", text)}`,
    references: referencesOf(email),
    inReplyTo: idsIn(email.inReplyTo ?? "")[0] ?? null,
    subject,
    baseSubject: baseSubjectOf(subject),
    from,
    sender: addressesIn(email.sender ? [email.sender] : [])[0] ?? null,
    replyTo: addressesIn(email.replyTo),
    to: addressesIn(email.to),
    cc: addressesIn(email.cc),
    bcc: addressesIn(email.bcc),
    date,
    text,
    visible: visibleOf(text),
    attachments: attachmentsOf(email),
    kind: kindOf(email, bounced.length),
    bounced,
  };
}

/** The parsed mail; of one whose parts cannot be read, its headers. */
async function read(source: Buffer): Promise<Email> {
  const readable = withReadableHead(withoutEndlessLines(source));
  const email = (await parsed(readable)) ?? (await parsed(headOf(readable)));
  if (!email)
    throw new MailUnreadable("Its headers are longer than a mail's can be, or its parts are nested too deeply.");
  const isMail = ["from", "sender", "to", "cc", "date", "subject", "message-id", "received"].some(
    (key) => headerOf(email, key) !== "",
  );
  if (!isMail) throw new MailUnreadable("It has none of the headers of a mail.");
  return email;
}

const parsed = (source: Buffer): Promise<Email | null> => PostalMime.parse(source).catch(() => null);

/** The headers, as far as they are not longer than any mail's. */
function headOf(source: Buffer): Buffer {
  const ends = ["\r\n\r\n", "\n\n"].map((end) => source.indexOf(end)).filter((at) => at >= 0);
  return source.subarray(0, Math.min(...ends, 500_000));
}

/** Lines cost more than their bytes do: a mail of nothing but empty ones is cut off where they are more than anyone writes. */
function withoutEndlessLines(source: Buffer): Buffer {
  let lines = 0;
  for (let at = source.indexOf(10); at >= 0; at = source.indexOf(10, at + 1))
    if (++lines > MOST_LINES + at / SHORT_LINE) return source.subarray(0, at);
  return source;
}

/** Headers that are not UTF-8, as they should be, are nearly always windows-1252. */
function withReadableHead(source: Buffer): Buffer {
  const head = headOf(source);
  if (isUtf8(head)) return source;
  return Buffer.concat([Buffer.from(new TextDecoder("windows-1252").decode(head)), source.subarray(head.length)]);
}

const tidy = (text: string): string => text.replaceAll(/\r\n?/g, "\n").trim();

function singleLine(text: string, most: number): string | null {
  const line = clean(text)
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim();
  return line === "" ? null : line.slice(0, most).toWellFormed();
}

/** Message-IDs: what stands in angle brackets, else words. */
function idsIn(value: string): string[] {
  const bracketed = [...value.matchAll(/<([^<>]{1,998})>/g)].map(([, id = ""]) => id);
  const ids = bracketed.length > 0 ? bracketed : value.replaceAll(/[<>]/g, " ").split(/[\s,]+/);
  return ids.map((id) => clean(id.replaceAll(/\s+/g, ""))).filter((id) => id !== "" && id.length <= 998);
}

/** Of a very long thread: the first, and the latest. */
function referencesOf(email: Email): string[] {
  const ids = [...new Set(idsIn(email.references ?? ""))];
  return ids.length <= MOST_REFERENCES ? ids : [...ids.slice(0, 1), ...ids.slice(1 - MOST_REFERENCES)];
}

function addressesIn(addresses: readonly Address[] = []): MailAddress[] {
  const found: MailAddress[] = [];
  for (const one of addresses.flatMap((entry) => entry.group ?? [entry])) {
    if (found.length >= MOST_ADDRESSES) break;
    const written = singleLine(one.address ?? "", 320) ?? "";
    const address = normaliseEmail(written) ?? written.toLowerCase();
    if (!/^[^@\s]+@[^@\s]+$/.test(address)) continue;
    const name = singleLine((one.name ?? "").replace(/^'(.*)'$/, "$1"), 300);
    found.push({ address, name: name === null || name.toLowerCase() === address ? null : name });
  }
  return found;
}

function dateOf(written: string | undefined): Date | null {
  const date = new Date(written ?? "");
  const year = date.getUTCFullYear();
  return year >= 1970 && year <= 9999 ? date : null;
}

const hashOf = (...parts: string[]): string =>
  createHash("sha256")
    .update(parts.map((part) => `${part.length}:${part}`).join(""))
    .digest("base64url");

/** Files that were attached: not pictures inside of the text, and not the parts of a report or an invitation. */
function attachmentsOf({ attachments }: Email): ParsedMail["attachments"] {
  return attachments
    .filter((part) => !part.related && !isDeliveryStatus(part))
    .filter(({ filename, disposition }) => filename !== null || disposition === "attachment")
    .slice(0, MOST_ATTACHMENTS)
    .map(({ filename, mimeType, content }) => ({
      name: singleLine((filename ?? "").replaceAll(/[/\\]/g, "_"), 255) ?? "unnamed",
      type: singleLine(mimeType, 120) ?? "application/octet-stream",
      size: typeof content === "string" ? Buffer.byteLength(content) : content.byteLength,
    }));
}
