import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { Message, MessageContact, MessageHolder } from "#prisma/generated/client.ts";
import { insertUnread, markUnread } from "./words.ts";

type MessageRow = Omit<Message, "workspaceId">;
export type ContactRow = Omit<MessageContact, "workspaceId">;
type HolderRow = Omit<MessageHolder, "workspaceId">;

export type KnownMessage = Pick<Message, "id" | "digest" | "key" | "thread" | "shared"> & { contacts: ContactRow[] };

// messages_key_idx
const byKeys = sql(
  "messages_by_keys",
  "SELECT m.id, m.digest, m.key, m.thread, m.shared::text AS shared FROM messages m WHERE m.workspace_id = $workspace AND m.key = ANY($1::text[])",
);

// message_contacts_pkey
const contactsOf = sql(
  "message_contacts_of_messages",
  `SELECT c.message_id AS "messageId", c.entity_id AS "entityId", c.type, c.activity, c.sent_at AS "sentAt" FROM message_contacts c
   WHERE c.workspace_id = $workspace AND c.message_id = ANY($1::uuid[])`,
);

/** The messages that have one of these keys. */
export async function findByKeys(db: Db, keys: readonly string[]): Promise<KnownMessage[]> {
  const rows = await db.query<Omit<KnownMessage, "contacts">>(byKeys, [keys]);
  if (rows.length === 0) return [];
  const contacts = Map.groupBy(
    await db.query<ContactRow>(contactsOf, [rows.map(({ id }) => id)]),
    ({ messageId }) => messageId,
  );
  return rows.map((row) => ({ ...row, contacts: contacts.get(row.id) ?? [] }));
}

const addMessages = sql(
  "messages_insert",
  `INSERT INTO messages (workspace_id, id, digest, key, thread, sent_at, sender, recipients, content, shared, answers)
   SELECT $workspace, n.id, n.digest, n.key, n.thread, n."sentAt", n.sender, n.recipients, n.content, n.shared, n.answers
   FROM json_to_recordset($1::json) AS n(id uuid, digest text, key text, thread uuid, "sentAt" timestamptz, sender text, recipients text[], content text, shared share_level, answers boolean) RETURNING NULL`,
);

const addContacts = sql(
  "message_contacts_insert",
  `INSERT INTO message_contacts (workspace_id, message_id, entity_id, type, activity, sent_at)
   SELECT $workspace, * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::timestamptz[]) ON CONFLICT DO NOTHING RETURNING message_id AS "messageId"`,
);

const addHolders = sql(
  "message_holders_insert",
  `INSERT INTO message_holders (workspace_id, message_id, mailbox_id, user_id, share, stale, wrote)
   SELECT $workspace, * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::share_level[], $5::boolean[], $6::boolean[]) ON CONFLICT DO NOTHING RETURNING message_id AS "messageId"`,
);

type NewRows = {
  messages: readonly MessageRow[];
  contacts: readonly ContactRow[];
  holders: readonly Omit<HolderRow, "leaving">[];
};

/** What of it was not there: contacts, and holders, by the id of the message. */
type Insertion = { contacts: Set<string>; holders: Set<string> };

const idsOf = (rows: readonly { messageId: string }[]) => new Set(rows.map(({ messageId }) => messageId));

/** Stores messages, their contacts and holders; those that are there stay. */
export async function insertMessages(db: Db, { messages, contacts, holders }: NewRows): Promise<Insertion> {
  if (messages.length > 0) await db.query(addMessages, [JSON.stringify(messages)]);
  await insertUnread(
    db,
    messages.map(({ id }) => id),
  );
  const of = <T>(rows: readonly T[], ...fields: (keyof T)[]) => fields.map((field) => rows.map((row) => row[field]));
  const newContacts = of(contacts, "messageId", "entityId", "type", "activity", "sentAt");
  const newHolders = of(holders, "messageId", "mailboxId", "userId", "share", "stale", "wrote");
  return {
    contacts: contacts.length > 0 ? idsOf(await db.query(addContacts, newContacts)) : new Set(),
    holders: holders.length > 0 ? idsOf(await db.query(addHolders, newHolders)) : new Set(),
  };
}

/** The sealed contents of messages, to complete or redact them: no one is shown them. */
export const findContents = async (db: Db, ids: readonly string[]): Promise<{ id: string; content: string }[]> =>
  (await db.prisma.message.findMany({ where: { id: { in: [...ids] } }, select: { id: true, content: true } })).flatMap(
    ({ id, content }) => (content === null ? [] : { id, content }),
  );

/** Stores another content. Its words are to be read again: the caller queues that. */
export async function setContent(db: Db, id: string, content: string): Promise<void> {
  await db.prisma.message.updateMany({ where: { id }, data: { content } });
  await markUnread(db, [id]);
}

// messages_pkey, message_holders_pkey
const levels = sql(
  "messages_levels",
  `UPDATE messages m SET shared = coalesce((SELECT max(h.share) FROM message_holders h WHERE h.workspace_id = $workspace AND h.message_id = m.id), 'nothing')
   WHERE m.workspace_id = $workspace AND m.id = ANY($1::uuid[])`,
);

/** Sets the level of messages to the most open of their holders. Their words are for others then. */
export async function refreshLevels(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.query(levels, [ids]);
  await markUnread(db, ids);
}

// message_contacts_pkey
const activities = sql(
  "message_contacts_activities",
  `UPDATE message_contacts c SET activity = n.activity
   FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS n(message_id, entity_id, activity)
   WHERE c.workspace_id = $workspace AND c.message_id = ANY($1) AND c.message_id = n.message_id AND c.entity_id = n.entity_id`,
);

/** Notes what was recorded for contacts of messages; null: nothing, or someone else had reported it. */
export async function setActivities(
  db: Db,
  rows: readonly Pick<ContactRow, "messageId" | "entityId" | "activity">[],
): Promise<void> {
  if (rows.length === 0) return;
  await db.query(activities, [
    rows.map(({ messageId }) => messageId),
    rows.map(({ entityId }) => entityId),
    rows.map(({ activity }) => activity),
  ]);
}
