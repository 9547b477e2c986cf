import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { ShareLevel } from "#lib/domain/knowledge/messages/words.ts";
import type { Guest } from "../rules/standing.ts";

// The only statements that read meetings for a caller. `$1` is the viewer: a member, or null for who sees what the workspace sees. A rule
// of structure refuses other readers.

/** Of a meeting `m` the copy that the viewer sees: their own, else the one that shows most. Without one they may not know of it. */
const SEEN = `CROSS JOIN LATERAL (
     SELECT c.*, coalesce(c.user_id = $1::uuid, false) AS mine FROM meeting_copies c
     WHERE c.workspace_id = $workspace AND c.meeting_id = m.id AND (c.user_id = $1::uuid OR c.share <> 'nothing')
     ORDER BY coalesce(c.user_id = $1::uuid, false) DESC, c.gone, c.share DESC, c.sequence DESC, c.read_at DESC LIMIT 1) AS c`;

/** How much of a meeting `m` everyone sees. */
const SHARED = `(SELECT max(s.share) FROM meeting_copies s WHERE s.workspace_id = $workspace AND s.meeting_id = m.id)::text`;

export type SeenMeeting = {
  id: string;
  /** where it is in a list, and when it is over, by all who have it */
  place: Date;
  overAt: Date;
  /** of the copy, which its content is sealed for */
  copyId: string;
  startsAt: Date;
  endsAt: Date;
  allDay: boolean;
  repeats: boolean;
  cancelled: boolean;
  organizer: string | null;
  guests: readonly Guest[];
  content: string;
  /** the viewer has it */
  mine: boolean;
  /** how much of it everyone sees */
  shared: ShareLevel;
};

const COLUMNS = `m.id, m.starts_at AS place, m.ends_at AS "overAt", c.id AS "copyId", c.starts_at AS "startsAt", c.ends_at AS "endsAt", c.all_day AS "allDay", m.planned IS NOT NULL AS repeats,
     c.cancelled OR c.gone AS cancelled, c.organizer, c.guests, c.content, c.mine, ${SHARED} AS shared`;

/** Where a page begins: behind this meeting. */
type Place = { at: Date; id: string };

// meeting_contacts_entity_idx, meetings_pkey, meeting_copies_meeting_idx; a contact's meetings are read whole: they are hundreds at most
const listed = (name: string, { compares, order }: { compares: string; order: string }) =>
  sql(
    name,
    `SELECT ${COLUMNS} FROM (
     SELECT DISTINCT k.meeting_id FROM meeting_contacts k WHERE k.workspace_id = $workspace AND k.entity_id = ANY($2::uuid[])
   ) AS k JOIN meetings m ON m.workspace_id = $workspace AND m.id = k.meeting_id ${SEEN}
   WHERE ${compares} ORDER BY m.starts_at ${order}, m.id ${order} LIMIT $6`,
  );
const upcoming = listed("meetings_upcoming_of_contacts", {
  compares: `m.ends_at > $3 AND (m.starts_at, m.id) > (coalesce($4::timestamptz, '-infinity'), coalesce($5::uuid, '00000000-0000-0000-0000-000000000000'))`,
  order: "ASC",
});
const past = listed("meetings_past_of_contacts", {
  compares: `m.ends_at <= $3 AND (m.starts_at, m.id) < (coalesce($4::timestamptz, 'infinity'), coalesce($5::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))`,
  order: "DESC",
});

type Page = { entities: readonly string[]; isPast: boolean; now: Date; behind: Place | null; limit: number };

/** Meetings with some contacts that the viewer may know of: those to come, the soonest first, or those that are over, the latest first. */
export const findListed = (
  db: Db,
  viewer: string | null,
  { entities, isPast, now, behind, limit }: Page,
): Promise<SeenMeeting[]> =>
  db.query<SeenMeeting>(isPast ? past : upcoming, [
    viewer,
    entities,
    now,
    behind?.at ?? null,
    behind?.id ?? null,
    limit,
  ]);

// meetings_pkey, meeting_copies_meeting_idx
const some = sql(
  "meetings_by_ids",
  `SELECT ${COLUMNS} FROM meetings m ${SEEN} WHERE m.workspace_id = $workspace AND m.id = ANY($2::uuid[])`,
);

/** Those of some meetings that the viewer may know of. */
export const findSeen = (db: Db, viewer: string | null, ids: readonly string[]): Promise<SeenMeeting[]> =>
  ids.length === 0 ? Promise.resolve([]) : db.query<SeenMeeting>(some, [viewer, ids]);

// meeting_contacts_pkey, entities_pkey; meetings_pkey, meeting_copies_meeting_idx
const contacts = sql(
  "meetings_contacts_of",
  `SELECT DISTINCT m.id AS "meetingId", coalesce(e.merged_into, e.id) AS "entityId" FROM meetings m ${SEEN}
   JOIN meeting_contacts k ON k.workspace_id = $workspace AND k.meeting_id = m.id
   JOIN entities e ON e.workspace_id = $workspace AND e.id = k.entity_id
   WHERE m.workspace_id = $workspace AND m.id = ANY($2::uuid[])`,
);

/** The contacts of meetings, as far as the viewer may know of them. */
export const findContactsOf = (
  db: Db,
  viewer: string | null,
  ids: readonly string[],
): Promise<{ meetingId: string; entityId: string }[]> =>
  ids.length === 0 ? Promise.resolve([]) : db.query(contacts, [viewer, ids]);

// meeting_copies_user_idx, meeting_copies_meeting_idx, meetings_pkey; $1 is a member
const unshared = sql(
  "meetings_unshared",
  `SELECT ${COLUMNS} FROM meetings m ${SEEN}
   WHERE m.workspace_id = $workspace AND m.id IN (
     SELECT own.meeting_id FROM meeting_copies own WHERE own.workspace_id = $workspace AND own.user_id = $1::uuid
       AND own.starts_at >= $2 AND own.starts_at < $3 AND own.share = 'nothing' AND NOT own.declined AND NOT own.cancelled AND NOT own.gone)
     AND ${SHARED} = 'nothing' ORDER BY c.starts_at, m.id LIMIT 100`,
);

/** Meetings of a member in a time that they share with no one, so that the record does not tell them. */
export const findUnshared = (db: Db, viewer: string, { from, to }: { from: Date; to: Date }): Promise<SeenMeeting[]> =>
  db.query<SeenMeeting>(unshared, [viewer, from, to]);
