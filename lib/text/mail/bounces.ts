import type { Email } from "postal-mime";
import { normaliseEmail } from "../mailbox.ts";
import { headersOf, textOfPart } from "./message.ts";

/** A recipient whom a mail did not reach: with the status of RFC 3463 (`5.1.1`) when it is known. */
export type Bounced = { address: string; status: string | null; permanent: boolean };

/** More recipients than this are not in a report that a server writes. */
const MOST = 500;

/**
 * The recipients that a report names as not reached, or not reached yet (`permanent: false`): from its delivery status
 * (RFC 3464), else from the header that Exim and Gmail write, else from the text of qmail's reports.
 */
export function bouncedIn(email: Email, text: string): Bounced[] {
  const found = new Map<string, Bounced>();
  const add = (address: string | null, status: string | null, permanent: boolean): void => {
    if (address !== null && found.size < MOST && !found.has(address))
      found.set(address, { address, status, permanent });
  };
  for (const part of email.attachments.filter(isDeliveryStatus))
    for (const recipient of textOfPart(part).split(/\n[ \t]*\n/)) {
      const { address, action, status } = fieldsOf(recipient);
      if (action === "failed") add(address, status, status === null || status.startsWith("5."));
      else if (action === "delayed") add(address, status, false);
    }
  if (found.size > 0) return [...found.values()];
  for (const address of headersOf(email, "x-failed-recipients").flatMap((value) => value.split(",")))
    add(normaliseEmail(address), null, true);
  if (found.size === 0 && /^Hi\. This is the qmail-send program/m.test(text))
    for (const [, address = ""] of text.matchAll(/^<([^<>\s]{3,254})>:$/gm)) add(normaliseEmail(address), null, true);
  return [...found.values()];
}

export const isDeliveryStatus = ({ mimeType }: { mimeType: string }): boolean =>
  mimeType === "message/delivery-status" || mimeType === "message/global-delivery-status";

function fieldsOf(recipient: string) {
  const fields = new Map<string, string>();
  for (const line of recipient.replaceAll(/\n[ \t]+/g, " ").split("\n")) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (name !== "" && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim());
  }
  const mailbox = (name: string): string | null => {
    const value =
      fields
        .get(name)
        ?.replace(/^[^;]{0,30};/, "")
        .trim() ?? "";
    return normaliseEmail(value.replace(/^<(.*)>$/, "$1"));
  };
  return {
    // As the sender wrote it, when the report says so: an alias may have been followed since.
    address: mailbox("original-recipient") ?? mailbox("final-recipient"),
    action: (fields.get("action") ?? "").toLowerCase().split(/[\s;(]/)[0] ?? "",
    status: /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(fields.get("status") ?? "")?.[0] ?? null,
  };
}
