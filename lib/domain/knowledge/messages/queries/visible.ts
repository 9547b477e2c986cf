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
  /** how much of it everybody sees */
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
