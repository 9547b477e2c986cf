import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { Message, MessageContact, MessageHolder } from "#prisma/generated/client.ts";

export type MessageRow = Omit<Message, "workspaceId">;
export type ContactRow = Omit<MessageContact, "workspaceId">;
export type HolderRow = Omit<MessageHolder, "workspaceId">;

export type KnownMessage = Pick<Message, "id" | "digest" | "key" | "thread" | "shared"> & { contacts: ContactRow[] };

/** The messages that have one of these keys. */
export const findByKeys = (db: Db, keys: readonly string[]): Promise<KnownMessage[]> =>
  db.prisma.message.findMany({
    where: { key: { in: [...keys] } },
    select: {
      ...{ id: true, digest: true, key: true, thread: true, shared: true },
      contacts: { omit: { workspaceId: true } },
    },
  });

/** Stores messages, their contacts and holders; those that are there stay. */
export async function insertMessages(
  db: Db,
  {
    messages,
    contacts,
    holders,
  }: { messages: readonly MessageRow[]; contacts: readonly ContactRow[]; holders: readonly HolderRow[] },
): Promise<void> {
  if (messages.length > 0) await db.prisma.message.createMany({ data: [...messages] });
  if (contacts.length > 0) await db.prisma.messageContact.createMany({ data: [...contacts], skipDuplicates: true });
  if (holders.length > 0) await db.prisma.messageHolder.createMany({ data: [...holders], skipDuplicates: true });
}

/** The sealed contents of messages, to complete or redact them: nobody is shown them. */
export const findContents = async (db: Db, ids: readonly string[]): Promise<{ id: string; content: string }[]> =>
  (await db.prisma.message.findMany({ where: { id: { in: [...ids] } }, select: { id: true, content: true } })).flatMap(
    ({ id, content }) => (content === null ? [] : { id, content }),
  );

export async function setContent(db: Db, id: string, content: string): Promise<void> {
  await db.prisma.message.updateMany({ where: { id }, data: { content } });
}

// messages_pkey, message_holders_pkey
const levels = sql(
  "messages_levels",
  `UPDATE messages m SET shared = coalesce((SELECT max(h.share) FROM message_holders h WHERE h.workspace_id = $workspace AND h.message_id = m.id), 'nothing')
   WHERE m.workspace_id = $workspace AND m.id = ANY($1::uuid[])`,
);

/** Sets the level of messages to the most open of their holders. */
export async function refreshLevels(db: Db, ids: readonly string[]): Promise<void> {
  await db.query(levels, [ids]);
}

/** Notes what was recorded for a contact of a message; null: nothing, or somebody else had reported it. */
export async function setActivity(
  db: Db,
  { messageId, entityId }: { messageId: string; entityId: string },
  activity: string | null,
): Promise<void> {
  await db.prisma.messageContact.updateMany({ where: { messageId, entityId }, data: { activity } });
}
