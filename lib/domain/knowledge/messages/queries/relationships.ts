/** Keeps how members know people, from the messages that they hold. The caller holds the mail (`holdMail`). */
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import { HALF_LIFE_DAYS, WEIGHED_AT, WEIGHTS } from "#lib/domain/knowledge/relationships/words.ts";

/** What something at the time `t.sent_at` weighs. Old mail weighs next to nothing, but no number is too small for the database. */
const weighs = (weight: number): string =>
  `${weight} * power(2::float8, greatest(extract(epoch FROM t.sent_at - '${WEIGHED_AT}'::timestamptz)::float8 / ${HALF_LIFE_DAYS * 86_400}, -500))`;

/**
 * Counts messages, each once for a member and a person: what the member wrote, and what came from the person. It counts for everybody
 * where the member shares it at least as "who and when", and in any case for the member. `contacts`: contacts of messages, with the
 * person `root` that each is now. `held`: which holders count.
 */
const counted = (contacts: string, held: string): string =>
  `INSERT INTO relationships AS r (workspace_id, user_id, open, entity_id, sent, received, replies, meetings, last_sent_at, last_received_at, given, got)
   SELECT $workspace, t.user_id, v.open, t.root, count(*) FILTER (WHERE t.wrote)::int, count(*) FILTER (WHERE NOT t.wrote)::int,
     count(*) FILTER (WHERE NOT t.wrote AND t.answers)::int, 0,
     max(t.sent_at) FILTER (WHERE t.wrote), max(t.sent_at) FILTER (WHERE NOT t.wrote),
     coalesce(sum(${weighs(WEIGHTS.sent)}) FILTER (WHERE t.wrote), 0),
     coalesce(sum(CASE WHEN t.answers THEN ${weighs(WEIGHTS.received + WEIGHTS.reply)} ELSE ${weighs(WEIGHTS.received)} END) FILTER (WHERE NOT t.wrote), 0)
   FROM (SELECT c.root, h.user_id, m.id, m.sent_at, m.answers, c.type = 'email_sent' AS wrote, max(h.share) AS share
     FROM (${contacts}) AS c JOIN messages m ON m.workspace_id = $workspace AND m.id = c.message_id
     JOIN message_holders h ON h.workspace_id = $workspace AND h.message_id = m.id
     WHERE ${held} AND (c.type = 'email_received' OR c.type = 'email_sent' AND h.wrote) GROUP BY 1, 2, 3, 4, 5, 6) AS t
   CROSS JOIN (VALUES (false), (true)) AS v(open) WHERE NOT v.open OR t.share <> 'nothing' GROUP BY 2, 3, 4`;

// entities_pkey, message_contacts_pkey, messages_pkey, message_holders_pkey
const add = sql(
  "relationships_add",
  `${counted(
    `SELECT coalesce(e.merged_into, e.id) AS root, n.message_id, n.type FROM message_contacts n
     JOIN entities e ON e.workspace_id = $workspace AND e.id = n.entity_id
     WHERE n.workspace_id = $workspace AND n.message_id = ANY($1::uuid[])`,
    "h.mailbox_id = $2::uuid",
  )}
   ON CONFLICT (workspace_id, user_id, open, entity_id) DO UPDATE SET sent = r.sent + excluded.sent,
     received = r.received + excluded.received, replies = r.replies + excluded.replies,
     last_sent_at = greatest(r.last_sent_at, excluded.last_sent_at),
     last_received_at = greatest(r.last_received_at, excluded.last_received_at), given = r.given + excluded.given, got = r.got + excluded.got
   RETURNING NULL`,
);

/** Counts messages that a mailbox brought, none of which its member held before. */
export async function addToRelationships(db: Db, mailboxId: string, messageIds: readonly string[]): Promise<void> {
  if (messageIds.length > 0) await db.query(add, [messageIds, mailboxId]);
}

/** Those that the entities $1 are now, with what was merged into them. */
const PEOPLE = `SELECT k.id, k.absorbed FROM entities k WHERE k.workspace_id = $workspace AND k.id IN (
     SELECT coalesce(e.merged_into, e.id) FROM entities e WHERE e.workspace_id = $workspace AND e.id = ANY($1::uuid[]))`;

// entities_pkey, relationships_entity_idx
const remove = sql(
  "relationships_remove",
  `DELETE FROM relationships r WHERE r.workspace_id = $workspace
     AND r.entity_id IN (SELECT unnest(array_prepend(k.id, k.absorbed)) FROM (${PEOPLE}) AS k)`,
);
// entities_pkey, message_contacts_entity_idx, messages_pkey, message_holders_pkey
const countAgain = sql(
  "relationships_count",
  `${counted(
    `SELECT k.id AS root, n.message_id, n.type FROM (${PEOPLE}) AS k CROSS JOIN unnest(array_prepend(k.id, k.absorbed)) AS part(id)
     JOIN message_contacts n ON n.workspace_id = $workspace AND n.entity_id = part.id`,
    "true",
  )} RETURNING NULL`,
);

/** Counts again everything with some people, of whom all ids are given where they were merged or told apart. */
export async function countRelationships(db: Db, entityIds: readonly string[]): Promise<void> {
  if (entityIds.length === 0) return;
  await db.query(remove, [entityIds]);
  await db.query(countAgain, [entityIds]);
}

// message_contacts_pkey
const contactsIn = sql(
  "relationships_contacts_of_messages",
  `SELECT DISTINCT c.entity_id AS "entityId" FROM message_contacts c WHERE c.workspace_id = $workspace AND c.message_id = ANY($1::uuid[])`,
);

/** The contacts of messages. */
export const findContactsIn = async (db: Db, messageIds: readonly string[]): Promise<string[]> =>
  messageIds.length === 0
    ? []
    : (await db.query<{ entityId: string }>(contactsIn, [messageIds])).map(({ entityId }) => entityId);

/** Those of some messages that a mailbox's member has in another mailbox too. */
export const findHeldTwice = async (
  db: Db,
  { mailboxId, userId }: { mailboxId: string; userId: string },
  messageIds: readonly string[],
): Promise<string[]> =>
  (messageIds.length === 0
    ? []
    : await db.prisma.messageHolder.findMany({
        where: { userId, mailboxId: { not: mailboxId }, messageId: { in: [...messageIds] } },
        select: { messageId: true },
      })
  ).map(({ messageId }) => messageId);

/** Notes which messages of a mailbox its member wrote; returns those of which that was not known. */
export const markWritten = async (db: Db, mailboxId: string, messageIds: readonly string[]): Promise<string[]> =>
  (messageIds.length === 0
    ? []
    : await db.prisma.messageHolder.updateManyAndReturn({
        where: { mailboxId, messageId: { in: [...messageIds] }, wrote: false },
        data: { wrote: true },
        select: { messageId: true },
      })
  ).map(({ messageId }) => messageId);
