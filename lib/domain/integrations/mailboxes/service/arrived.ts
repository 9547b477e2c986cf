import { log } from "#lib/core/log.ts";
import { together } from "#lib/core/together.ts";
import { parseApart } from "#lib/jobs/parsing.ts";
import type { Fetched, MailClient } from "#lib/providers/imap/client.ts";
import type { Arrived } from "./keep.ts";

/** Of a larger message only the headers are read, in bytes. */
const MOST_BYTES = 10 * 1024 * 1024;

/** Messages that are kept in one transaction, and the bytes after which no more are read for it. */
const BATCH = 50;
const BATCH_BYTES = 8 * 1024 * 1024;

/** `asked`: how many of the UIDs it is about; some of them may be gone. */
export type ArrivedBatch = { asked: readonly number[]; arrived: readonly Arrived[] };

/** The first of some messages of the open folder. */
export async function arrivedOf(client: MailClient, uids: readonly number[]): Promise<ArrivedBatch> {
  let asked = uids.slice(0, BATCH);
  const arrived: Promise<Arrived>[] = [];
  let bytes = 0;
  for await (const fetched of client.fetch(asked, MOST_BYTES)) {
    arrived.push(read(fetched));
    bytes += (fetched.source ?? fetched.head).length;
    if (bytes <= BATCH_BYTES) continue;
    asked = asked.filter((uid) => uid <= fetched.uid);
    break;
  }
  return { asked, arrived: await together(arrived) };
}

const read = async (fetched: Fetched): Promise<Arrived> => ({
  uid: fetched.uid,
  receivedAt: fetched.internalDate,
  mail: await parsed(fetched),
});

/** Null when it cannot be read, for whatever reason: one message must not stop a mailbox. */
const parsed = ({ uid, source, head }: Fetched) =>
  parseApart("mail", source ?? head).catch((error: unknown) => {
    log.error({ err: error, uid }, "a message could not be read");
    return null;
  });
