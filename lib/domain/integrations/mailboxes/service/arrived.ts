import { log } from "#lib/core/log.ts";
import type { Fetched, MailClient } from "#lib/providers/imap/client.ts";
import { MailUnreadable, parseMail } from "#lib/text/mail/parse.ts";
import type { Arrived } from "./keep.ts";

/** Of a larger message only the headers are read, in bytes. */
const MOST_BYTES = 10 * 1024 * 1024;

/** Some messages of the open folder. */
export async function arrivedOf(client: MailClient, uids: readonly number[]): Promise<Arrived[]> {
  const arrived: Arrived[] = [];
  for await (const fetched of client.fetch(uids, MOST_BYTES))
    arrived.push({ uid: fetched.uid, receivedAt: fetched.internalDate, mail: await parsed(fetched) });
  return arrived;
}

/** Null when it cannot be read, for whatever reason: one message must not stop a mailbox. */
const parsed = ({ uid, source, head }: Fetched) =>
  parseMail(source ?? head).catch((error: unknown) => {
    if (!(error instanceof MailUnreadable)) log.error({ err: error, uid }, "a message could not be read");
    return null;
  });
