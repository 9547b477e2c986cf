import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { ShareLevel } from "../words.ts";
import type { ContactRow } from "./keeping.ts";

/** What a member set apart: by thread, or by person. */
export const findApart = async (db: Db, userId: string): Promise<Map<string, ShareLevel>> =>
  new Map((await db.prisma.mailShare.findMany({ where: { userId } })).map(({ subject, share }) => [subject, share]));

/** Sets a thread or a person, by all ids of theirs, apart; null: no longer. */
export async function setApart(
  db: Db,
  userId: string,
  subjects: readonly string[],
  share: ShareLevel | null,
): Promise<void> {
  await db.prisma.mailShare.deleteMany({ where: { userId, subject: { in: [...subjects] } } });
  const [subject] = subjects;
  if (share !== null && subject)
    await db.prisma.mailShare.create({ data: { userId, subject, share }, select: { subject: true } });
}

/** What the mailboxes of a member share. */
export const findMailboxLevels = async (db: Db, userId: string): Promise<ShareLevel[]> =>
  (await db.prisma.mailbox.findMany({ where: { userId }, select: { share: true } })).map(({ share }) => share);

/** Whether a mailbox is that of a member. */
export const hasMailbox = async (db: Db, userId: string, id: string): Promise<boolean> =>
  (await db.prisma.mailbox.count({ where: { id, userId } })) > 0;

/** The most that anyone in the workspace may share. */
export const findCeiling = async (db: Db): Promise<ShareLevel> =>
  (await db.prisma.workspace.findFirstOrThrow({ select: { mailCeiling: true } })).mailCeiling;

export async function setCeiling(db: Db, share: ShareLevel): Promise<void> {
  await db.prisma.workspace.updateMany({ data: { mailCeiling: share } });
}

/** Which of the messages that members hold: all, those of a mailbox, or what a member has of a thread or of some people. */
export type Whose =
  | { of: "everyone" }
  | { of: "mailbox"; mailboxId: string }
  | { of: "leaving mailbox"; mailboxId: string }
  | { of: "thread"; userId: string; thread: string }
  | { of: "people"; userId: string; entities: readonly string[] };

/** `whose`: which holders. `others`: of one of their messages, the holders `o` that it is not about. `more`: what else becomes of them. */
const limitOf = (name: string, whose: string, others: string, more = "") =>
  sql(
    name,
    `WITH held AS (
     UPDATE message_holders h SET stale = true, ${more}share = least(h.share, $1::share_level)
     WHERE h.workspace_id = $workspace AND ${whose} RETURNING h.message_id, h.share)
   UPDATE messages m SET shared = least(m.shared, greatest(n.share,
       (SELECT max(o.share) FROM message_holders o WHERE o.workspace_id = $workspace AND o.message_id = n.id AND ${others})))
   FROM (SELECT held.message_id AS id, max(held.share) AS share FROM held GROUP BY 1) AS n
   WHERE m.workspace_id = $workspace AND m.id = n.id RETURNING m.id`,
  );

// message_holders_pkey, messages_pkey; read whole, when an administrator changes how much may be shared
const limitAll = limitOf("messages_limit_all", "true", "false");
// message_holders_mailbox_idx, messages_pkey
const ofMailbox = ["h.mailbox_id = $2::uuid", "o.mailbox_id <> $2::uuid"] as const;
const limitMailbox = limitOf("messages_limit_mailbox", ...ofMailbox);
// message_holders_mailbox_idx, messages_pkey
const leaveMailbox = limitOf("messages_leave_mailbox", ...ofMailbox, "leaving = true, ");
// messages_thread_idx, message_holders_pkey, messages_pkey
const limitThread = limitOf(
  "messages_limit_thread",
  "h.user_id = $2::uuid AND h.message_id IN (SELECT t.id FROM messages t WHERE t.workspace_id = $workspace AND t.thread = $3::uuid)",
  "o.user_id <> $2::uuid",
);
// message_contacts_entity_idx, message_holders_pkey, messages_pkey
const limitPeople = limitOf(
  "messages_limit_people",
  "h.user_id = $2::uuid AND h.message_id IN (SELECT c.message_id FROM message_contacts c WHERE c.workspace_id = $workspace AND c.entity_id = ANY($3::uuid[]))",
  "o.user_id <> $2::uuid",
);

/** Shows no more than a level of messages from now on, and marks them to be worked out again. Returns which. */
export const limitLevels = async (db: Db, whose: Whose, level: ShareLevel): Promise<string[]> =>
  (await limited(db, whose, level)).map(({ id }) => id);

function limited(db: Db, whose: Whose, level: ShareLevel): Promise<{ id: string }[]> {
  switch (whose.of) {
    case "everyone":
      return db.query(limitAll, [level]);
    case "mailbox":
      return db.query(limitMailbox, [level, whose.mailboxId]);
    case "leaving mailbox":
      return db.query(leaveMailbox, [level, whose.mailboxId]);
    case "thread":
      return db.query(limitThread, [level, whose.userId, whose.thread]);
    case "people":
      return db.query(limitPeople, [level, whose.userId, whose.entities]);
  }
}

export type StaleMessage = {
  id: string;
  key: string;
  thread: string;
  sentAt: Date;
  contacts: ContactRow[];
  holders: {
    mailboxId: string;
    userId: string;
    share: ShareLevel;
    ofMailbox: ShareLevel;
    leaving: boolean;
    /** a relationship counts it; `wrote` null: none does yet */
    counts: boolean;
    wrote: boolean | null;
  }[];
};

const WAITING = `(SELECT DISTINCT h.message_id AS id FROM message_holders h WHERE h.workspace_id = $workspace AND h.stale ORDER BY 1 LIMIT $1)
   UNION (SELECT DISTINCT h.message_id FROM message_holders h WHERE h.workspace_id = $workspace AND h.wrote IS NULL ORDER BY 1 LIMIT $1)`;
// message_holders_stale_idx, message_holders_uncounted_idx
const waiting = sql("messages_stale", WAITING);
// those, message_contacts_pkey, message_contacts_entity_idx, message_holders_pkey
const waitingTogether = sql(
  "messages_stale_together",
  `WITH first AS (${WAITING}) SELECT f.id FROM first f UNION (
     SELECT h.message_id FROM message_contacts p
     JOIN message_contacts c ON c.workspace_id = $workspace AND c.entity_id = p.entity_id
     JOIN message_holders h ON h.workspace_id = $workspace AND h.message_id = c.message_id
     WHERE p.workspace_id = $workspace AND p.message_id IN (SELECT f.id FROM first f) AND (h.stale OR h.wrote IS NULL) LIMIT $2)`,
);

/** The next messages whose levels are to be worked out again: some, and others of their contacts, which are written once for all. */
export async function findStale(db: Db, some: number, others: number): Promise<StaleMessage[]> {
  const stale = await db.query<{ id: string }>(waitingTogether, [some, others]);
  const rows = await db.prisma.message.findMany({
    where: { id: { in: stale.map(({ id }) => id) } },
    select: {
      ...{ id: true, key: true, thread: true, sentAt: true },
      contacts: { omit: { workspaceId: true } },
      holders: {
        select: {
          ...{ mailboxId: true, userId: true, share: true, leaving: true, wrote: true },
          mailbox: { select: { share: true, state: true } },
        },
      },
    },
    orderBy: { id: "asc" },
  });
  return rows.map(({ holders, ...row }) => ({
    ...row,
    holders: holders.map(({ mailbox: { share: ofMailbox, state }, leaving, ...holder }) => ({
      // An earlier release marked the mailbox alone.
      ...{ ...holder, ofMailbox, leaving: leaving || state === "leaving", counts: !leaving },
    })),
  }));
}

// message_holders_pkey, mailboxes_pkey, messages_pkey
const settle = sql(
  "message_holders_settle",
  `UPDATE message_holders h SET share = n.share, stale = false, wrote = coalesce(h.wrote, EXISTS (
     SELECT FROM mailboxes b JOIN messages m ON m.workspace_id = $workspace AND m.id = h.message_id
     WHERE b.workspace_id = $workspace AND b.id = h.mailbox_id AND m.sender = lower(b.address)))
   FROM unnest($1::uuid[], $2::uuid[], $3::share_level[]) AS n(message_id, mailbox_id, share)
   WHERE h.workspace_id = $workspace AND h.message_id = n.message_id AND h.mailbox_id = n.mailbox_id`,
);

/** Stores the levels of holders, which are then worked out. */
export async function settleHolders(
  db: Db,
  holders: readonly { messageId: string; mailboxId: string; share: ShareLevel }[],
): Promise<void> {
  await db.query(settle, [
    holders.map(({ messageId }) => messageId),
    holders.map(({ mailboxId }) => mailboxId),
    holders.map(({ share }) => share),
  ]);
}

// message_holders_mailbox_idx, messages_pkey, message_contacts_pkey; a mailbox's are read whole: blocking is rare
const heldWith = sql(
  "messages_held_with",
  `SELECT m.id FROM message_holders h JOIN messages m ON m.workspace_id = $workspace AND m.id = h.message_id
   WHERE h.workspace_id = $workspace AND h.mailbox_id = $1 AND NOT h.leaving AND (
     EXISTS (SELECT FROM unnest(m.recipients || m.sender) AS a, unnest($2::text[]) AS b
       WHERE a = b OR split_part(a, '@', 2) = b OR right(split_part(a, '@', 2), length(b) + 1) = '.' || b)
     OR EXISTS (SELECT FROM message_contacts c WHERE c.workspace_id = $workspace AND c.message_id = m.id AND c.entity_id = ANY($3::uuid[])))`,
);

/** The messages of a mailbox with one of some addresses and domains on them, or with some contacts. */
export const findHeldWith = async (
  db: Db,
  mailboxId: string,
  { blocked, entities }: { blocked: readonly string[]; entities: readonly string[] },
): Promise<string[]> => (await db.query<{ id: string }>(heldWith, [mailboxId, blocked, entities])).map(({ id }) => id);

/** Marks what a mailbox holds of messages to be removed, and shows nothing of it from now on. */
export async function markLeaving(db: Db, mailboxId: string, messageIds: readonly string[]): Promise<void> {
  await db.prisma.messageHolder.updateMany({
    where: { mailboxId, messageId: { in: [...messageIds] } },
    data: { leaving: true, stale: true, share: "nothing" },
  });
}

/** Removes what is leaving of those who hold messages. */
export async function removeLeaving(db: Db, messageIds: readonly string[]): Promise<void> {
  await db.prisma.messageHolder.deleteMany({
    where: { messageId: { in: [...messageIds] }, OR: [{ leaving: true }, { mailbox: { state: "leaving" } }] },
  });
}

/** Marks the messages of some contacts to be worked out again; false: there are none. */
export async function markStale(db: Db, entities: readonly string[]): Promise<boolean> {
  const { count } = await db.prisma.messageHolder.updateMany({
    where: { message: { contacts: { some: { entityId: { in: [...entities] } } } } },
    data: { stale: true },
  });
  return count > 0;
}

// messages of a workspace are read whole: an erasure is rare
const withoutRecipients = sql(
  "messages_without_recipients",
  `UPDATE messages m SET recipients = ARRAY(SELECT r FROM unnest(m.recipients) AS r WHERE r <> ALL($1::text[]))
   WHERE m.workspace_id = $workspace AND m.recipients && $1::text[] RETURNING m.id`,
);

/** Takes addresses out of the recipients of messages; returns which had them. */
export const removeRecipients = async (db: Db, addresses: readonly string[]): Promise<string[]> =>
  addresses.length === 0 ? [] : (await db.query<{ id: string }>(withoutRecipients, [addresses])).map(({ id }) => id);

// message_holders_mailbox_idx; a member's are read whole, when one is to be removed
const sharedBy = sql(
  "messages_shared_by",
  `SELECT count(DISTINCT h.message_id)::int AS count FROM mailboxes b
   JOIN message_holders h ON h.workspace_id = $workspace AND h.mailbox_id = b.id AND NOT h.leaving AND h.share <> 'nothing'
   WHERE b.workspace_id = $workspace AND b.user_id = $1 AND NOT b.is_log AND b.state <> 'leaving'`,
);

/** How many messages everyone sees that came through the mailboxes of a member. */
export const countSharedBy = async (db: Db, userId: string): Promise<number> =>
  (await db.query<{ count: number }>(sharedBy, [userId]))[0]?.count ?? 0;

/** Ends the mailboxes of a member, whose messages are to be removed; returns which. */
export async function leaveMailboxes(db: Db, userId: string): Promise<string[]> {
  const rows = await db.prisma.mailbox.updateManyAndReturn({
    where: { userId, isLog: false, state: { not: "leaving" } },
    data: { state: "leaving", credentials: "", message: null, updatedAt: new Date() },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

/** Whether messages wait to be worked out, or a mailbox to be removed. */
export const hasStale = async (db: Db): Promise<boolean> =>
  (await db.query(waiting, [1])).length > 0 || (await db.prisma.mailbox.count({ where: { state: "leaving" } })) > 0;

/** Removes the mailboxes that are leaving and hold nothing any more. */
export async function removeLeft(db: Db): Promise<void> {
  await db.prisma.mailbox.deleteMany({ where: { state: "leaving", holders: { none: {} } } });
}

/** Forgets what members chose for some people. */
export async function removeApart(db: Db, entities: readonly string[]): Promise<void> {
  await db.prisma.mailShare.deleteMany({ where: { subject: { in: [...entities] } } });
}

/** Removes messages, with what refers to them. */
export async function deleteMessages(db: Db, ids: readonly string[]): Promise<void> {
  await db.prisma.message.deleteMany({ where: { id: { in: [...ids] } } });
}

/** The messages of some contacts. */
export const findMessagesOf = async (db: Db, entities: readonly string[]): Promise<string[]> => [
  ...new Set(
    (
      await db.prisma.messageContact.findMany({
        where: { entityId: { in: [...entities] } },
        select: { messageId: true },
      })
    ).map(({ messageId }) => messageId),
  ),
];

// messages_pkey, message_holders_pkey, members_workspace_id_user_id_key; a workspace's are read whole, by the hour
const tidy = sql(
  "messages_tidy",
  `WITH gone AS (DELETE FROM messages m WHERE m.workspace_id = $workspace AND m.shared = 'nothing'
     AND NOT EXISTS (SELECT FROM message_holders h JOIN members k ON k.workspace_id = $workspace AND k.user_id = h.user_id
       WHERE h.workspace_id = $workspace AND h.message_id = m.id) RETURNING m.id)
   SELECT DISTINCT c.entity_id AS "entityId" FROM message_contacts c WHERE c.workspace_id = $workspace AND c.message_id IN (SELECT id FROM gone)`,
);

/** Removes messages that no one can see any more, because those who held them left. Returns whose messages these were. */
export const deleteUnseen = async (db: Db): Promise<string[]> =>
  (await db.query<{ entityId: string }>(tidy)).map(({ entityId }) => entityId);
