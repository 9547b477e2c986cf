import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { ShareLevel } from "#lib/domain/knowledge/messages/words.ts";

/** Whose copies of meetings: all, those of a calendar, or what a member has of a meeting or with some people. */
export type Whose =
  | { of: "everyone" }
  | { of: "calendar"; calendarId: string }
  | { of: "meeting"; userId: string; meetingId: string }
  | { of: "people"; userId: string; entities: readonly string[] };

const limitOf = (name: string, whose: string) =>
  sql(
    name,
    `WITH limited AS (
     UPDATE meeting_copies c SET stale = true, share = least(c.share, $1::share_level)
     WHERE c.workspace_id = $workspace AND ${whose} RETURNING c.meeting_id)
   SELECT DISTINCT limited.meeting_id AS id FROM limited`,
  );

// meeting_copies_pkey; read whole, when an administrator changes how much may be shared
const limitAll = limitOf("meetings_limit_all", "true");
// meeting_copies_workspace_id_calendar_id_object_occurrence_key
const limitCalendar = limitOf("meetings_limit_calendar", "c.calendar_id = $2::uuid");
// meeting_copies_meeting_idx
const limitMeeting = limitOf("meetings_limit_meeting", "c.user_id = $2::uuid AND c.meeting_id = $3::uuid");
// meeting_contacts_entity_idx, meeting_copies_meeting_idx
const limitPeople = limitOf(
  "meetings_limit_people",
  "c.user_id = $2::uuid AND c.meeting_id IN (SELECT k.meeting_id FROM meeting_contacts k WHERE k.workspace_id = $workspace AND k.entity_id = ANY($3::uuid[]))",
);

/** Shows no more than a level of meetings from now on, and marks them to be worked out again. Returns which. */
export const limitLevels = async (db: Db, whose: Whose, level: ShareLevel): Promise<string[]> =>
  (await limited(db, whose, level)).map(({ id }) => id);

function limited(db: Db, whose: Whose, level: ShareLevel): Promise<{ id: string }[]> {
  switch (whose.of) {
    case "everyone":
      return db.query(limitAll, [level]);
    case "calendar":
      return db.query(limitCalendar, [level, whose.calendarId]);
    case "meeting":
      return db.query(limitMeeting, [level, whose.userId, whose.meetingId]);
    case "people":
      return db.query(limitPeople, [level, whose.userId, whose.entities]);
  }
}

/** What the calendars of a member share. */
export const findCalendarLevels = async (db: Db, userId: string): Promise<ShareLevel[]> =>
  (await db.prisma.calendar.findMany({ where: { userId }, select: { share: true } })).map(({ share }) => share);

/** The next meetings whose levels are to be worked out again. */
export const findStale = async (db: Db, most: number): Promise<string[]> =>
  (
    await db.prisma.meetingCopy.findMany({
      where: { stale: true },
      select: { meetingId: true },
      distinct: ["meetingId"],
      orderBy: { meetingId: "asc" },
      take: most,
    })
  ).map(({ meetingId }) => meetingId);

/** Removes the copies of meetings in calendars that are leaving. */
export async function removeLeavingCopies(db: Db, meetingIds: readonly string[]): Promise<void> {
  await db.prisma.meetingCopy.deleteMany({
    where: { meetingId: { in: [...meetingIds] }, calendar: { state: "leaving" } },
  });
}

/** Marks the meetings of some contacts to be worked out again; false: there are none. */
export async function markStale(db: Db, entities: readonly string[]): Promise<boolean> {
  const { count } = await db.prisma.meetingCopy.updateMany({
    where: { meeting: { contacts: { some: { entityId: { in: [...entities] } } } } },
    data: { stale: true },
  });
  return count > 0;
}

/** How many meetings everyone sees that came through the calendars of a member. */
export const countSharedBy = async (db: Db, userId: string): Promise<number> =>
  (
    await db.prisma.meetingCopy.findMany({
      where: { calendar: { userId, state: { not: "leaving" } }, gone: false, share: { not: "nothing" } },
      select: { meetingId: true },
      distinct: ["meetingId"],
    })
  ).length;

/** Ends the calendars of a member, whose meetings are to be removed; returns which. */
export async function leaveCalendars(db: Db, userId: string): Promise<string[]> {
  const rows = await db.prisma.calendar.updateManyAndReturn({
    where: { userId, state: { not: "leaving" } },
    data: { state: "leaving", credentials: "", message: null, updatedAt: new Date() },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

/** Whether meetings wait to be worked out, or a calendar to be removed. */
export const hasStale = async (db: Db): Promise<boolean> =>
  (await db.prisma.meetingCopy.findFirst({ where: { stale: true }, select: { id: true } })) !== null ||
  (await db.prisma.calendar.count({ where: { state: "leaving" } })) > 0;

/** Removes the calendars that are leaving and hold nothing any more. */
export async function removeLeft(db: Db): Promise<void> {
  await db.prisma.calendar.deleteMany({ where: { state: "leaving", copies: { none: {} } } });
}

/** The meetings of some contacts. */
export const findMeetingsOf = async (db: Db, entities: readonly string[]): Promise<string[]> => [
  ...new Set(
    (
      await db.prisma.meetingContact.findMany({
        where: { entityId: { in: [...entities] } },
        select: { meetingId: true },
      })
    ).map(({ meetingId }) => meetingId),
  ),
];

// a workspace's copies are read whole: an erasure is rare
const naming = sql(
  "meetings_naming",
  `SELECT DISTINCT c.meeting_id AS id FROM meeting_copies c WHERE c.workspace_id = $workspace AND (c.organizer = ANY($1::text[])
     OR EXISTS (SELECT FROM jsonb_array_elements(c.guests) AS g WHERE g ->> 'address' = ANY($1::text[])))`,
);

// meeting_contacts_pkey
const metIn = sql(
  "meetings_met_in",
  `SELECT DISTINCT k.entity_id AS "entityId" FROM meeting_contacts k
   WHERE k.workspace_id = $workspace AND k.meeting_id = ANY($1::uuid[]) AND k.held`,
);

/** With whom meetings were held. */
export const findMetIn = async (db: Db, meetingIds: readonly string[]): Promise<string[]> =>
  meetingIds.length === 0
    ? []
    : (await db.query<{ entityId: string }>(metIn, [meetingIds])).map(({ entityId }) => entityId);

/** Meetings that name one of these addresses, whether it was a contact's then or not. */
export const findNaming = async (db: Db, addresses: readonly string[]): Promise<string[]> =>
  addresses.length === 0 ? [] : (await db.query<{ id: string }>(naming, [addresses])).map(({ id }) => id);

// meeting_copies_pkey, members_workspace_id_user_id_key, meetings_pkey, meeting_copies_meeting_idx; read whole, by the hour
const tidyCopies = sql(
  "meeting_copies_tidy",
  `DELETE FROM meeting_copies c WHERE c.workspace_id = $workspace AND c.share = 'nothing'
     AND NOT EXISTS (SELECT FROM members k WHERE k.workspace_id = $workspace AND k.user_id = c.user_id) RETURNING c.meeting_id AS id`,
);
const tidyRest = sql(
  "meetings_tidy",
  `DELETE FROM meetings m WHERE m.workspace_id = $workspace
     AND NOT EXISTS (SELECT FROM meeting_copies c WHERE c.workspace_id = $workspace AND c.meeting_id = m.id)`,
);

/** Removes copies that no one can see any more, because those who had them left. Returns of which meetings. */
export const deleteUnseenCopies = async (db: Db): Promise<string[]> =>
  (await db.query<{ id: string }>(tidyCopies)).map(({ id }) => id);

/** Removes meetings that no calendar has any more. */
export async function deleteWithoutCopies(db: Db): Promise<void> {
  await db.query(tidyRest);
}

/** How many copies of meetings a calendar has. */
export const countMeetings = (db: Db, calendarId: string): Promise<number> =>
  db.prisma.meetingCopy.count({ where: { calendarId, gone: false } });

/** Removes what a calendar has, except from some of its calendars; returns the meetings that it is about. */
export async function deleteCopiesBut(db: Db, calendarId: string, urls: readonly string[]): Promise<string[]> {
  const where = { calendarId, collection: { notIn: [...urls] } };
  const rows = await db.prisma.meetingCopy.findMany({ where, select: { meetingId: true }, distinct: ["meetingId"] });
  await db.prisma.meetingCopy.deleteMany({ where });
  return rows.map(({ meetingId }) => meetingId);
}
