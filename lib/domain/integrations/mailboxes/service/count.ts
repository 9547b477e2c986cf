import type { Caller } from "#lib/core/context.ts";
import type { Db } from "#lib/db/handle.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import type { MailClient } from "#lib/providers/imap/client.ts";
import {
  type FolderRow,
  findFolder,
  findUids,
  insertItems,
  lockMailbox,
  type MailboxRow,
  setCount,
} from "../queries.ts";
import { arrivedOf } from "./arrived.ts";
import { keepArrived } from "./keep.ts";

const COUNTED_FOR_MS = 24 * 60 * 60_000;
const BATCH = 50;

export const isCountDue = ({ countedAt }: FolderRow): boolean =>
  countedAt === null || Date.now() - +countedAt > COUNTED_FOR_MS;

/**
 * Compares the open folder with what was read of it, message by message. What is missing is read again; what is missing after that is an
 * alarm on the mailbox's card.
 */
export async function countFolder(
  caller: Caller,
  { id: mailboxId, since }: MailboxRow,
  client: MailClient,
  { path, uidValidity }: FolderRow,
): Promise<void> {
  const within = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
    withWorkspace(caller.workspaceId, work, { operation: "counting a mailbox" });
  const missingOf = async (uids: readonly number[]) => {
    const here = new Set(await within((db) => findUids(db, mailboxId, path)));
    return uids.filter((uid) => !here.has(uid));
  };
  const uids = await client.uids(1, since);
  const missing = await missingOf(uids);
  for (let at = 0; at < missing.length; at += BATCH) {
    const arrived = await arrivedOf(client, missing.slice(at, at + BATCH));
    await within(async (db) => {
      const mailbox = await lockMailbox(db, mailboxId);
      const folder = await findFolder(db, mailboxId, path);
      if (mailbox?.state !== "connected" || folder?.uidValidity !== uidValidity) return;
      const items = await keepArrived({ ...caller, db }, mailbox, arrived);
      await insertItems(
        db,
        items.map((item) => ({ mailboxId, path, ...item })),
      );
    });
  }
  // What was deleted at the server meanwhile is not missing.
  const atServer = missing.length === 0 ? uids : await client.uids(1, since);
  const still = missing.length === 0 ? [] : await missingOf(atServer);
  await within((db) => setCount(db, { mailboxId, path }, { atServer: atServer.length, missing: still.length }));
}
