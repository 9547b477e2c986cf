/** Keeps how members know people, from the messages and meetings that they have. The caller holds the mail (`holdMail`). */
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import { HALF_LIFE_DAYS, WEIGHED_AT, WEIGHTS } from "#lib/domain/knowledge/relationships/words.ts";

/** What something at the time `t.at` weighs. Old mail weighs next to nothing, but no number is too small for the database. */
const weighs = (weight: number): string =>
  `${weight} * power(2::float8, greatest(extract(epoch FROM t.at - '${WEIGHED_AT}'::timestamptz)::float8 / ${HALF_LIFE_DAYS * 86_400}, -500))`;

/**
 * Counts what members had with people: `items`, each of one `kind`, with the person `root` and the member's share of it; what has the same
 * `id` and time is one. It counts for everyone where the member shares it at least as "who and when", and in any case for the member.
 */
const counted = (items: string): string =>
  `INSERT INTO relationships AS r (workspace_id, user_id, open, entity_id, sent, received, replies, meetings, last_sent_at, last_received_at, last_met_at, given, got)
   SELECT $workspace, t.user_id, v.open, t.root, count(*) FILTER (WHERE t.kind = 'sent')::int, count(*) FILTER (WHERE t.kind IN ('received', 'reply'))::int,
     count(*) FILTER (WHERE t.kind = 'reply')::int, count(*) FILTER (WHERE t.kind = 'met')::int,
     max(t.at) FILTER (WHERE t.kind = 'sent'), max(t.at) FILTER (WHERE t.kind IN ('received', 'reply')), max(t.at) FILTER (WHERE t.kind = 'met'),
     coalesce(sum(${weighs(WEIGHTS.sent)}) FILTER (WHERE t.kind = 'sent'), 0),
     coalesce(sum(CASE WHEN t.kind = 'received' THEN ${weighs(WEIGHTS.received)} WHEN t.kind = 'reply' THEN ${weighs(WEIGHTS.received + WEIGHTS.reply)}
       ELSE ${weighs(WEIGHTS.meeting)} END) FILTER (WHERE t.kind <> 'sent'), 0)
   FROM (SELECT i.root, i.user_id, i.kind, i.at, max(i.share) AS share FROM (${items}) AS i GROUP BY i.root, i.user_id, i.kind, i.at, i.id) AS t
   CROSS JOIN (VALUES (false), (true)) AS v(open) WHERE NOT v.open OR t.share <> 'nothing' GROUP BY 2, 3, 4`;

/** Messages: what the member wrote, and what came from the person. `contacts`: contacts of messages; `held`: which holders count. */
const mail = (contacts: string, held: string): string =>
  `SELECT c.root, h.user_id, CASE WHEN c.type = 'email_sent' THEN 'sent' WHEN m.answers THEN 'reply' ELSE 'received' END AS kind, m.id, m.sent_at AS at, h.share
   FROM (${contacts}) AS c JOIN messages m ON m.workspace_id = $workspace AND m.id = c.message_id
   JOIN message_holders h ON h.workspace_id = $workspace AND h.message_id = m.id
   WHERE ${held} AND (c.type = 'email_received' OR c.type = 'email_sent' AND h.wrote)`;

/** Meetings that were held, which the member had accepted or arranged; of the same minute they are one. `contacts`: contacts of meetings. */
const meetings = (contacts: string): string =>
  `SELECT c.root, k.user_id, 'met' AS kind, NULL::uuid AS id, date_trunc('minute', c.starts_at) AS at, k.share
   FROM (${contacts}) AS c JOIN meeting_copies k ON k.workspace_id = $workspace AND k.meeting_id = c.meeting_id
   WHERE k.answered AND NOT k.declined AND NOT k.cancelled AND NOT k.gone`;

// entities_pkey, message_contacts_pkey, messages_pkey, message_holders_pkey
const add = sql(
  "relationships_add",
  `${counted(
    mail(
      `SELECT coalesce(e.merged_into, e.id) AS root, n.message_id, n.type FROM message_contacts n
     JOIN entities e ON e.workspace_id = $workspace AND e.id = n.entity_id
     WHERE n.workspace_id = $workspace AND n.message_id = ANY($1::uuid[])`,
      "h.mailbox_id = $2::uuid",
    ),
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
/** All ids of those people, with the person that each is. */
const PARTS = `(${PEOPLE}) AS k CROSS JOIN unnest(array_prepend(k.id, k.absorbed)) AS part(id)`;

// entities_pkey; message_contacts_entity_idx, messages_pkey, message_holders_pkey; meeting_contacts_entity_idx, meeting_copies_meeting_idx
const countAgain = sql(
  "relationships_count",
  `${counted(
    `${mail(
      `SELECT k.id AS root, n.message_id, n.type FROM ${PARTS} JOIN message_contacts n ON n.workspace_id = $workspace AND n.entity_id = part.id`,
      "NOT h.leaving",
    )}
     UNION ALL ${meetings(
       `SELECT k.id AS root, n.meeting_id, n.starts_at FROM ${PARTS}
        JOIN meeting_contacts n ON n.workspace_id = $workspace AND n.entity_id = part.id AND n.held`,
     )}`,
  )} RETURNING NULL`,
);

/** Counts again everything that stays with some people; of merged or separated ones all ids are given. */
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
