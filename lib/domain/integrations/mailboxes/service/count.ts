import type { Caller } from "#lib/core/context.ts";
import { tellMember } from "#lib/domain/integrations/connections/service.ts";
import { insideOf } from "#lib/jobs/inside.ts";
import type { MailClient } from "#lib/providers/imap/client.ts";
import { HOUR_MS } from "#lib/text/time.ts";
import { type FolderRow, findUnread, forgetUnreadable, type MailboxRow, setCount } from "../queries.ts";
import { arrivedOf } from "./arrived.ts";
import { keepEach } from "./keep.ts";

/** How long a count is enough. What is missing is looked for sooner. */
const COUNTED_FOR_MS = { whole: 24 * HOUR_MS, missing: HOUR_MS };
export const isCountDue = ({ countedAt, missing }: FolderRow): boolean =>
  countedAt === null || Date.now() - +countedAt > COUNTED_FOR_MS[missing ? "missing" : "whole"];

/**
 * Compares the open folder with what was read of it, message by message. What is missing is read again, and once a day what could not be read;
 * what is missing after that is an alarm on the mailbox.
 */
export async function countFolder(
  caller: Caller,
  { id: mailboxId, userId, since }: MailboxRow,
  client: MailClient,
  { path, uidValidity, isSent, countedAt, missing: before }: FolderRow & { isSent: boolean },
): Promise<void> {
  const inside = insideOf(caller, "counting a mailbox");
  if (countedAt !== null && !before) await inside(({ db }) => forgetUnreadable(db, { mailboxId, path }));
  const missingOf = (uids: readonly number[]) => inside(({ db }) => findUnread(db, mailboxId, path, uids));
  const uids = await client.uids(1, since);
  const missing = await missingOf(uids);
  for (let left = missing; left.length > 0; ) {
    const { asked, arrived } = await arrivedOf(client, left);
    await keepEach(inside, { mailboxId, path, isSent, uidValidity, place: null, arrived });
    left = left.slice(asked.length);
  }
  // What was deleted at the server meanwhile is not missing.
  const atServer = missing.length === 0 ? uids : await client.uids(1, since);
  const still = missing.length === 0 ? [] : await missingOf(atServer);
  await inside(({ db }) => setCount(db, { mailboxId, path }, { atServer: atServer.length, missing: still.length }));
  if (missing.length > 0 || before) tellMember(caller, userId);
}
