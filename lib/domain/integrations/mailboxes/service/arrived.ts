import { setImmediate } from "node:timers/promises";
import { log } from "#lib/core/log.ts";
import type { Fetched, MailClient } from "#lib/providers/imap/client.ts";
import { MailUnreadable, parseMail } from "#lib/text/mail/parse.ts";
import type { Arrived } from "./keep.ts";

/** Of a larger message only the headers are read, in bytes. */
const MOST_BYTES = 10 * 1024 * 1024;

/** Messages that are kept in one transaction, and the bytes after which no more are read for it. */
const BATCH = 100;
const BATCH_BYTES = 8 * 1024 * 1024;

/** `asked`: how many of the UIDs it is about; some of them may be gone. */
export type ArrivedBatch = { asked: readonly number[]; arrived: readonly Arrived[] };

/** The first of some messages of the open folder. Parsing one takes a millisecond; others get theirs in between. */
export async function arrivedOf(client: MailClient, uids: readonly number[]): Promise<ArrivedBatch> {
  const asked = uids.slice(0, BATCH);
  const arrived: Arrived[] = [];
  let bytes = 0;
  for await (const fetched of client.fetch(asked, MOST_BYTES)) {
    arrived.push({ uid: fetched.uid, receivedAt: fetched.internalDate, mail: await parsed(fetched) });
    bytes += (fetched.source ?? fetched.head).length;
    if (bytes > BATCH_BYTES) return { asked: asked.filter((uid) => uid <= fetched.uid), arrived };
    await setImmediate();
  }
  return { asked, arrived };
}

/** Null when it cannot be read, for whatever reason: one message must not stop a mailbox. */
const parsed = ({ uid, source, head }: Fetched) =>
  parseMail(source ?? head).catch((error: unknown) => {
    if (!(error instanceof MailUnreadable)) log.error({ err: error, uid }, "a message could not be read");
    return null;
  });
