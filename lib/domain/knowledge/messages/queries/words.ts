import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { ShareLevel } from "../words.ts";

/** The index of mail: which words each message has, each hashed for those who may see it. */

// message_words_pkey
const addUnread = sql(
  "message_words_add",
  "INSERT INTO message_words (workspace_id, message_id, words) SELECT $workspace, id, '{}' FROM unnest($1::uuid[]) AS added(id) ON CONFLICT DO NOTHING",
);

/** Messages whose words are to be read. */
export async function insertUnread(db: Db, messageIds: readonly string[]): Promise<void> {
  if (messageIds.length > 0) await db.query(addUnread, [messageIds]);
}

/** Who may see messages has changed: their words are to be read again. */
export async function markUnread(db: Db, messageIds: readonly string[]): Promise<void> {
  await db.prisma.messageWords.updateMany({
    where: { messageId: { in: [...messageIds] }, key: { not: null } },
    data: { key: null },
  });
}

// message_words_unread_idx
const lockUnread = sql(
  "message_words_lock_unread",
  `SELECT message_id AS "messageId" FROM message_words WHERE workspace_id = $workspace AND key IS NULL
   ORDER BY message_id LIMIT $1 FOR UPDATE SKIP LOCKED`,
);

export type MessageWords = { id: string; words: string[] };

export type UnreadMessage = { id: string; content: string | null; shared: ShareLevel; holders: { userId: string }[] };

/**
 * The next messages whose words are to be read. Locked before they are looked at: who changes what of them is shared waits, and marks them
 * again.
 */
export async function takeUnread(db: Db, most: number): Promise<UnreadMessage[]> {
  const locked = await db.query<{ messageId: string }>(lockUnread, [most]);
  return db.prisma.message.findMany({
    where: { id: { in: locked.map(({ messageId }) => messageId) } },
    select: { id: true, content: true, shared: true, holders: { select: { userId: true } } },
  });
}

// message_words_pkey
const setWords = sql(
  "message_words_set",
  `UPDATE message_words w SET words = n.words, key = $2
   FROM json_to_recordset($1::json) AS n(id uuid, words bigint[]) WHERE w.workspace_id = $workspace AND w.message_id = n.id`,
);

/** Stores the words of messages, hashed with that key. */
export async function updateWords(db: Db, messages: readonly MessageWords[], key: string): Promise<void> {
  if (messages.length > 0) await db.query(setWords, [JSON.stringify(messages), key]);
}

// messages_pkey, message_words_pkey; a workspace's are read whole, by the hour
const missing = sql(
  "message_words_missing",
  `INSERT INTO message_words (workspace_id, message_id, words) SELECT $workspace, m.id, '{}' FROM messages m
   WHERE m.workspace_id = $workspace AND NOT EXISTS (SELECT FROM message_words w WHERE w.workspace_id = $workspace AND w.message_id = m.id)
   ON CONFLICT DO NOTHING`,
);

/** Finds messages that an earlier release stored, and those whose words were hashed with another key. True: some are to be read. */
export async function markMissing(db: Db, key: string): Promise<boolean> {
  await db.query(missing);
  await db.prisma.messageWords.updateMany({ where: { key: { not: null }, NOT: { key } }, data: { key: null } });
  return (await db.prisma.messageWords.findFirst({ where: { key: null }, select: { messageId: true } })) !== null;
}
