import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { ShareLevel } from "../words.ts";

// The only statements that read messages for a caller. `$1` is the viewer: a member, or null for who sees what the workspace sees. A rule
// of structure refuses other readers.

/** Whether the viewer has a message `m` in a mailbox of theirs. */
const MINE = `EXISTS (SELECT FROM message_holders h WHERE h.workspace_id = $workspace AND h.message_id = m.id AND h.user_id = $1::uuid)`;
/** Whether the viewer may know of a message `m`. */
const SEEN = `(m.shared <> 'nothing' OR ${MINE})`;

export type SeenMessage = {
  id: string;
  thread: string;
  sentAt: Date;
  sender: string;
  recipients: string[];
  content: string | null;
  /** the viewer has it */
  mine: boolean;
  /** how much of it everyone sees */
  shared: ShareLevel;
  /** null: it is no activity, as an automatic reply */
  type: string | null;
};

const COLUMNS = `m.id, m.thread, m.sent_at AS "sentAt", m.sender, m.recipients, m.content, m.shared::text AS shared, ${MINE} AS mine,
     (SELECT max(c.type) FROM message_contacts c WHERE c.workspace_id = $workspace AND c.message_id = m.id) AS type`;

// message_contacts_entity_idx, messages_pkey, message_holders_pkey; a contact's messages are read whole: they are thousands at most
const threads = sql(
  "messages_threads_of_contacts",
  `SELECT m.thread, max(m.sent_at) AS latest, count(DISTINCT m.id)::int AS count, bool_or(${MINE}) AS mine FROM message_contacts c
   JOIN messages m ON m.workspace_id = $workspace AND m.id = c.message_id
   WHERE c.workspace_id = $workspace AND c.entity_id = ANY($2::uuid[]) AND ${SEEN}
   GROUP BY m.thread HAVING (max(m.sent_at), m.thread) < (coalesce($3::timestamptz, 'infinity'), coalesce($4::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
   ORDER BY 2 DESC, 1 DESC LIMIT $5`,
);

/** `mine`: the viewer has some of it. */
export type ThreadRow = { thread: string; latest: Date; count: number; mine: boolean };

/** The threads of some contacts that the viewer may know of, the latest first, from behind a place on. */
export const findThreads = (
  db: Db,
  viewer: string | null,
  {
    entities,
    behind,
    limit,
  }: { entities: readonly string[]; behind: { latest: Date; thread: string } | null; limit: number },
): Promise<ThreadRow[]> =>
  db.query<ThreadRow>(threads, [viewer, entities, behind?.latest ?? null, behind?.thread ?? null, limit]);

// messages_thread_idx, message_holders_pkey
const latest = sql(
  "messages_latest_of_threads",
  `SELECT DISTINCT ON (m.thread) ${COLUMNS} FROM messages m
   WHERE m.workspace_id = $workspace AND m.thread = ANY($2::uuid[]) AND ${SEEN} ORDER BY m.thread, m.sent_at DESC, m.id DESC`,
);

/** The last message of each of these threads that the viewer may know of. */
export const findLatest = (db: Db, viewer: string | null, ids: readonly string[]): Promise<SeenMessage[]> =>
  db.query<SeenMessage>(latest, [viewer, ids]);

/** Whether the viewer may see at least the subject of a message `m`. */
const SUBJECT_SEEN = `(m.shared IN ('subject', 'everything') OR ${MINE})`;

// message_words_words_idx, messages_pkey, message_holders_pkey; message_contacts_pkey, entities_pkey, people_pkey. A word is another number for each who may
// see it, so that no time is spent on messages that the viewer may not see.
const byWords = sql(
  "messages_by_words",
  `SELECT ${COLUMNS}, who.id AS "entityId" FROM message_words w JOIN messages m ON m.workspace_id = $workspace AND m.id = w.message_id
   CROSS JOIN LATERAL (SELECT coalesce(e.merged_into, e.id) AS id FROM message_contacts c JOIN entities e ON e.workspace_id = $workspace AND e.id = c.entity_id
     WHERE c.workspace_id = $workspace AND c.message_id = m.id AND ($4::uuid[] IS NULL OR c.entity_id = ANY($4::uuid[])
       OR EXISTS (SELECT FROM people p WHERE p.workspace_id = $workspace AND p.id = c.entity_id AND p.company_id = ANY($4::uuid[]))) ORDER BY c.entity_id LIMIT 1) AS who
   WHERE w.workspace_id = $workspace AND w.words && $2::bigint[] AND ${SUBJECT_SEEN}
   ORDER BY (SELECT count(*) FROM unnest($3::bigint[]) AS asked(word) WHERE asked.word = ANY(w.words)) DESC, m.sent_at DESC, m.id DESC LIMIT $5`,
);

/** Messages that have one of some words among those that the viewer may see, those with most of `exact` first. */
export const findByWords = (
  db: Db,
  viewer: string | null,
  {
    near,
    exact,
    entities,
    limit,
  }: { near: readonly string[]; exact: readonly string[]; entities: readonly string[] | null; limit: number },
): Promise<(SeenMessage & { entityId: string })[]> => db.query(byWords, [viewer, near, exact, entities, limit]);

/** The longest thread that is answered; of a longer one its last messages. */
const MOST_MESSAGES = 200;

// messages_thread_idx, message_holders_pkey
const ofThread = sql(
  "messages_of_thread",
  `SELECT * FROM (SELECT ${COLUMNS} FROM messages m WHERE m.workspace_id = $workspace AND m.thread = $2 AND ${SEEN}
   ORDER BY m.sent_at DESC, m.id DESC LIMIT ${MOST_MESSAGES}) AS last ORDER BY "sentAt", id`,
);

/** The messages of a thread that the viewer may know of, in the order they were sent. */
export const findMessages = (db: Db, viewer: string | null, thread: string): Promise<SeenMessage[]> =>
  db.query<SeenMessage>(ofThread, [viewer, thread]);

// messages_thread_idx, message_contacts_pkey, entities_pkey; message_holders_pkey
const contacts = sql(
  "messages_contacts_of_threads",
  `SELECT DISTINCT m.thread, coalesce(e.merged_into, e.id) AS "entityId" FROM messages m
   JOIN message_contacts c ON c.workspace_id = $workspace AND c.message_id = m.id
   JOIN entities e ON e.workspace_id = $workspace AND e.id = c.entity_id
   WHERE m.workspace_id = $workspace AND m.thread = ANY($2::uuid[]) AND ${SEEN}`,
);

/** The contacts of threads, as far as the viewer may know of them. */
export const findContactsOf = (
  db: Db,
  viewer: string | null,
  ids: readonly string[],
): Promise<{ thread: string; entityId: string }[]> => db.query(contacts, [viewer, ids]);

const latestOf = (entities: string) =>
  `SELECT m.thread, c.sent_at, c.message_id FROM message_contacts c JOIN messages m ON m.workspace_id = $workspace AND m.id = c.message_id
   WHERE c.workspace_id = $workspace AND c.entity_id ${entities} AND c.type IS NOT NULL AND ${SEEN} ORDER BY c.sent_at DESC, c.message_id DESC LIMIT 1`;

// message_contacts_entity_idx, backwards to the latest; messages_pkey, message_holders_pkey
const lastThreadOfOne = sql("messages_last_thread_one", latestOf("= ($2::uuid[])[1]"));
const lastThreadOfMany = sql("messages_last_thread_many", latestOf("= ANY($2::uuid[])"));
// people_company_idx, then as for one person, for each
const lastThreadOfCompany = sql(
  "messages_last_thread_of_company",
  `SELECT each.* FROM (
     SELECT p.id FROM people p WHERE p.workspace_id = $workspace AND p.company_id = ($2::uuid[])[1] AND p.status = 'active'
     ORDER BY p.last_activity_at DESC NULLS LAST, p.id DESC LIMIT $3) AS person
   CROSS JOIN LATERAL (${latestOf("= person.id")}) AS each ORDER BY each.sent_at DESC, each.message_id DESC LIMIT 1`,
);

/**
 * The thread of the last message with a person, or with a company's people (at most `people` of them), that the viewer may know of;
 * undefined: there is none.
 */
export async function findLastThread(
  db: Db,
  viewer: string | null,
  { type, entities, people }: { type: "person" | "company"; entities: readonly string[]; people: number },
): Promise<string | undefined> {
  const ofPerson = entities.length === 1 ? lastThreadOfOne : lastThreadOfMany;
  const [last] = await (type === "company"
    ? db.query<{ thread: string }>(lastThreadOfCompany, [viewer, entities, people])
    : db.query<{ thread: string }>(ofPerson, [viewer, entities]));
  return last?.thread;
}

// messages_thread_idx, message_holders_pkey
const lastEachWay = sql(
  "messages_last_each_way",
  `SELECT DISTINCT ON (last.type = 'email_received') last.* FROM (
     SELECT ${COLUMNS} FROM messages m WHERE m.workspace_id = $workspace AND m.thread = $2 AND ${SEEN}) AS last
   WHERE last.type IS NOT NULL ORDER BY last.type = 'email_received', last."sentAt" DESC, last.id DESC`,
);

/** The last message from outside in a thread, and the last one of ours, as far as the viewer may know of it. */
export const findLastEachWay = (db: Db, viewer: string | null, thread: string): Promise<SeenMessage[]> =>
  db.query<SeenMessage>(lastEachWay, [viewer, thread]);

// message_holders_mailbox_idx, messages_pkey; a mailbox is read whole, when its member looks at it as the others do
const ofMailbox = sql(
  "messages_of_mailbox",
  `SELECT ${COLUMNS} FROM message_holders own JOIN messages m ON m.workspace_id = $workspace AND m.id = own.message_id
   WHERE own.workspace_id = $workspace AND own.mailbox_id = $2 AND ${SEEN} ORDER BY m.sent_at DESC, m.id DESC LIMIT $3`,
);

/** The latest messages of a mailbox that the viewer may know of. */
export const findOfMailbox = (
  db: Db,
  viewer: string | null,
  mailboxId: string,
  limit: number,
): Promise<SeenMessage[]> => db.query<SeenMessage>(ofMailbox, [viewer, mailboxId, limit]);

// messages_pkey, message_holders_pkey
const ofIds = sql(
  "messages_of_ids",
  `SELECT ${COLUMNS} FROM messages m WHERE m.workspace_id = $workspace AND m.id = ANY($2::uuid[]) AND ${SUBJECT_SEEN}`,
);

/** Those of some messages of which the viewer may see the subject. */
export const findByIds = (db: Db, viewer: string | null, ids: readonly string[]): Promise<SeenMessage[]> =>
  db.query<SeenMessage>(ofIds, [viewer, ids]);
