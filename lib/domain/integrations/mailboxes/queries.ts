import { together } from "#lib/core/together.ts";
import type { Db } from "#lib/db/handle.ts";
import { lockRow } from "#lib/db/row-locks.ts";
import { sql } from "#lib/db/statement.ts";
import type { Mailbox, MailFolder, MailItem, MailSignIn } from "#prisma/generated/client.ts";
import type { MailOutcome } from "./words.ts";

export type MailboxRow = Omit<Mailbox, "workspaceId">;
export type FolderRow = Omit<MailFolder, "workspaceId">;
export type MailboxToRead = MailboxRow & { places: FolderRow[]; hasLeft: boolean };
export type ItemRow = Omit<MailItem, "workspaceId">;
export type SignInRow = Omit<MailSignIn, "workspaceId">;

const omit = { workspaceId: true } as const;

export const findMailboxesOf = (db: Db, userId: string): Promise<MailboxRow[]> =>
  db.prisma.mailbox.findMany({ where: { userId, isLog: false }, omit, orderBy: { createdAt: "asc" } });

export const findMailbox = (db: Db, id: string): Promise<MailboxRow | null> =>
  db.prisma.mailbox.findFirst({ where: { id }, omit });

/** A mailbox with how far its folders were read, and whether its member is still one. */
export async function findMailboxToRead(db: Db, id: string): Promise<MailboxToRead | null> {
  const [mailbox, places] = await together([findMailbox(db, id), findFolders(db, id)]);
  if (!mailbox) return null;
  const { userId } = mailbox;
  const member = await db.prisma.member.findFirst({ where: { userId }, select: { id: true } });
  return { ...mailbox, places, hasLeft: member === null };
}

/** The sealed logins of those of some mailboxes that are still to be read, by their ids. */
export async function findWatchable(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.prisma.mailbox.findMany({
    where: { id: { in: [...ids] }, state: "connected", isVerified: true },
    select: { id: true, userId: true, credentials: true },
  });
  const userIds = rows.map(({ userId }) => userId);
  const members = await db.prisma.member.findMany({ where: { userId: { in: userIds } }, select: { userId: true } });
  const here = new Set(members.map(({ userId }) => userId));
  return new Map(rows.filter(({ userId }) => here.has(userId)).map(({ id, credentials }) => [id, credentials]));
}

/** Notes what is wrong with a mailbox, unless it got another password meanwhile. */
export async function noteTrouble(
  db: Db,
  { id, credentials }: Pick<MailboxRow, "id" | "credentials">,
  trouble: Partial<Pick<MailboxRow, "message" | "isVerified">>,
): Promise<void> {
  await db.prisma.mailbox.updateMany({ where: { id, credentials }, data: { ...trouble, updatedAt: new Date() } });
}

/** A mailbox, locked until this transaction ends. */
export async function lockMailbox(db: Db, id: string): Promise<MailboxRow | null> {
  await lockRow(db, "mailboxes", id);
  return findMailbox(db, id);
}

export async function insertMailbox(
  db: Db,
  row: Omit<MailboxRow, "message" | "state" | "isVerified" | "syncedAt" | "createdAt" | "updatedAt" | "isLog">,
): Promise<void> {
  await db.prisma.mailbox.create({ data: row, select: { id: true } });
}

/** A mailbox without a server, for what arrives at a member's log address: everyone sees it, and the people in it become contacts. */
export async function insertLogMailbox(db: Db, { id, userId }: Pick<MailboxRow, "id" | "userId">): Promise<void> {
  await db.prisma.mailbox.create({
    data: {
      ...{ id, userId, address: "log", host: "", port: 0, secure: true, login: "", credentials: "", isLog: true },
      ...{ share: "everything", contacts: "written_to", since: new Date(0), state: "disconnected" },
    },
    select: { id: true },
  });
}

export async function changeMailbox(
  db: Db,
  id: string,
  data: Partial<Omit<MailboxRow, "id" | "userId">>,
): Promise<void> {
  await db.prisma.mailbox.updateMany({ where: { id }, data: { ...data, updatedAt: new Date() } });
}

/** Puts another login in place of one, unless that was changed meanwhile. */
export async function replaceLogin(
  db: Db,
  { id, credentials }: Pick<MailboxRow, "id" | "credentials">,
  next: string,
): Promise<void> {
  await db.prisma.mailbox.updateMany({ where: { id, credentials }, data: { credentials: next } });
}

/** The addresses of the mailboxes of everyone in the workspace. */
export const findAddresses = (db: Db): Promise<{ userId: string; address: string }[]> =>
  db.prisma.mailbox.findMany({ where: { isLog: false }, select: { userId: true, address: true } });

/** How many messages mailboxes hold. */
export const countHeld = async (db: Db, mailboxIds: readonly string[]): Promise<Map<string, number>> =>
  new Map(
    (
      await db.prisma.messageHolder.groupBy({
        by: ["mailboxId"],
        where: { mailboxId: { in: [...mailboxIds] } },
        _count: { _all: true },
      })
    ).map(({ mailboxId, _count }) => [mailboxId, _count._all]),
  );

export const findFolders = (db: Db, mailboxId: string): Promise<FolderRow[]> =>
  db.prisma.mailFolder.findMany({ where: { mailboxId }, omit, orderBy: { path: "asc" } });

export const findFolder = (db: Db, mailboxId: string, path: string): Promise<FolderRow | null> =>
  db.prisma.mailFolder.findFirst({ where: { mailboxId, path }, omit });

export async function insertFolder(
  db: Db,
  row: Pick<FolderRow, "mailboxId" | "path" | "uidValidity" | "nextUid">,
): Promise<void> {
  await db.prisma.mailFolder.create({ data: row, select: { path: true } });
}

/** Begins a folder anew: its UIDs mean other messages now. */
export async function resetFolder(
  db: Db,
  { mailboxId, path }: Pick<FolderRow, "mailboxId" | "path">,
  uidValidity: string,
): Promise<void> {
  await db.prisma.mailItem.deleteMany({ where: { mailboxId, path } });
  await db.prisma.mailFolder.updateMany({
    where: { mailboxId, path },
    data: { uidValidity, nextUid: 1n, atServer: null, missing: null, countedAt: null },
  });
}

export async function moveFolder(
  db: Db,
  { mailboxId, path }: Pick<FolderRow, "mailboxId" | "path">,
  nextUid: bigint,
): Promise<void> {
  await db.prisma.mailFolder.updateMany({ where: { mailboxId, path }, data: { nextUid } });
}

export async function setCount(
  db: Db,
  { mailboxId, path }: Pick<FolderRow, "mailboxId" | "path">,
  { atServer, missing }: { atServer: number; missing: number },
): Promise<void> {
  await db.prisma.mailFolder.updateMany({
    where: { mailboxId, path },
    data: { atServer, missing, countedAt: new Date() },
  });
}

/** A folder that is no longer read is no longer compared with the server. */
export async function forgetCount(db: Db, { mailboxId, path }: Pick<FolderRow, "mailboxId" | "path">): Promise<void> {
  await db.prisma.mailFolder.updateMany({
    where: { mailboxId, path },
    data: { atServer: null, missing: null, countedAt: null },
  });
}

const addItems = sql(
  "mail_items_insert",
  `INSERT INTO mail_items (workspace_id, mailbox_id, path, uid, outcome, message_id)
   SELECT $workspace, $1::uuid, $2::text, * FROM unnest($3::bigint[], $4::mail_outcome[], $5::uuid[]) ON CONFLICT DO NOTHING`,
);

/** Notes what was done with messages of a folder. */
export async function insertItems(
  db: Db,
  { mailboxId, path }: Pick<ItemRow, "mailboxId" | "path">,
  items: readonly Pick<ItemRow, "uid" | "outcome" | "messageId">[],
): Promise<void> {
  if (items.length === 0) return;
  const columns = [
    items.map(({ uid }) => String(uid)),
    ...[items.map(({ outcome }) => outcome), items.map(({ messageId }) => messageId)],
  ];
  await db.query(addItems, [mailboxId, path, ...columns]);
}

/** Notes of messages that their member has blocked someone of them. */
export async function markBlocked(db: Db, mailboxId: string, messageIds: readonly string[]): Promise<void> {
  await db.prisma.mailItem.updateMany({
    where: { mailboxId, messageId: { in: [...messageIds] } },
    data: { outcome: "blocked", messageId: null },
  });
}

/** Has messages with someone who is blocked no longer read again: the next look compares the folders with the server. */
export async function forgetBlocked(db: Db, mailboxId: string): Promise<void> {
  const { count } = await db.prisma.mailItem.deleteMany({ where: { mailboxId, outcome: "blocked" } });
  if (count > 0) await db.prisma.mailFolder.updateMany({ where: { mailboxId }, data: { countedAt: null } });
}

/** Has messages read again that could not be read: what the server did not give, it may give by now. */
export async function forgetUnreadable(
  db: Db,
  { mailboxId, path }: Pick<FolderRow, "mailboxId" | "path">,
): Promise<void> {
  await db.prisma.mailItem.deleteMany({ where: { mailboxId, path, outcome: "unreadable" } });
}

/** Has folders in which something is missing compared with the next look. */
export async function countMissingAgain(db: Db, mailboxId: string): Promise<void> {
  await db.prisma.mailFolder.updateMany({ where: { mailboxId, missing: { gt: 0 } }, data: { countedAt: null } });
}

// mail_items_pkey
const unread = sql(
  "mail_uids_unread",
  `SELECT u.uid::float8 AS uid FROM unnest($3::bigint[]) AS u(uid) WHERE NOT EXISTS (
     SELECT FROM mail_items i WHERE i.workspace_id = $workspace AND i.mailbox_id = $1::uuid AND i.path = $2 AND i.uid = u.uid) ORDER BY u.uid`,
);

/** Those of some UIDs of a folder that were not read, in order. Compared here: a folder may have hundreds of thousands. */
export const findUnread = async (db: Db, mailboxId: string, path: string, uids: readonly number[]): Promise<number[]> =>
  (await db.query<{ uid: number }>(unread, [mailboxId, path, uids])).map(({ uid }) => uid);

// mail_items_pkey; a mailbox's are read whole
const outcomes = sql(
  "mail_outcomes",
  `SELECT i.path, i.outcome::text AS outcome, count(*)::int AS count FROM mail_items i
   WHERE i.workspace_id = $workspace AND i.mailbox_id = $1 GROUP BY i.path, i.outcome`,
);

/** What was done with the messages of a mailbox, by folder. */
export const countOutcomes = (
  db: Db,
  mailboxId: string,
): Promise<{ path: string; outcome: MailOutcome; count: number }[]> => db.query(outcomes, [mailboxId]);

/** Messages that could not be read. */
export const findUnreadable = async (
  db: Db,
  mailboxId: string,
  most: number,
): Promise<{ path: string; uid: number }[]> =>
  (
    await db.prisma.mailItem.findMany({
      where: { mailboxId, outcome: "unreadable" },
      select: { path: true, uid: true },
      orderBy: [{ path: "asc" }, { uid: "asc" }],
      take: most,
    })
  ).map(({ path, uid }) => ({ path, uid: Number(uid) }));

/** Connected mailboxes whose last look is longer ago. */
export const findDue = async (db: Db, before: Date): Promise<string[]> =>
  (
    await db.prisma.mailbox.findMany({
      where: { state: "connected", isVerified: true, OR: [{ syncedAt: null }, { syncedAt: { lt: before } }] },
      select: { id: true },
    })
  ).map(({ id }) => id);

export async function insertSignIn(db: Db, { terms, ...row }: SignInRow): Promise<void> {
  await db.prisma.mailSignIn.create({ data: { ...row, terms: terms ?? {} }, select: { id: true } });
}

/** A sign-in that a session began, which is then over; null: it is over already, or another session's. */
export async function takeSignIn(db: Db, id: string, sessionId: string): Promise<SignInRow | null> {
  const row = await db.prisma.mailSignIn.findFirst({ where: { id, sessionId }, omit });
  const { count } = await db.prisma.mailSignIn.deleteMany({ where: { id, sessionId } });
  return count === 1 ? row : null;
}

/** Removes sign-ins that no one came back from. */
export async function removeOldSignIns(db: Db): Promise<void> {
  await db.prisma.mailSignIn.deleteMany({ where: { expiresAt: { lt: new Date() } } });
}

/** How many messages of mailboxes are missing, at their last counts. */
export const countMissing = async (db: Db, mailboxIds: readonly string[]): Promise<Map<string, number>> =>
  new Map(
    (
      await db.prisma.mailFolder.groupBy({
        by: ["mailboxId"],
        where: { mailboxId: { in: [...mailboxIds] }, missing: { gt: 0 } },
        _sum: { missing: true },
      })
    ).map(({ mailboxId, _sum }) => [mailboxId, _sum.missing ?? 0]),
  );
