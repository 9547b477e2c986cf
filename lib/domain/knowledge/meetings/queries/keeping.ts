import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import { EXTERNAL_ID } from "#lib/domain/crm/timeline/service.ts";
import { notRetired } from "#lib/domain/records/evidence/service.ts";
import type { Meeting, MeetingActivity, MeetingContact, MeetingCopy } from "#prisma/generated/client.ts";
import type { Guest } from "../rules/standing.ts";

export type MeetingRow = Omit<Meeting, "workspaceId">;
export type CopyRow = Omit<MeetingCopy, "workspaceId" | "guests"> & { guests: readonly Guest[] };
export type ContactRow = Omit<MeetingContact, "workspaceId">;
export type ActivityRow = Omit<MeetingActivity, "workspaceId">;

const omit = { workspaceId: true } as const;

export type PlacedCopy = Pick<CopyRow, "id" | "meetingId" | "object" | "occurrence" | "digest" | "endsAt" | "gone"> & {
  planned: Date | null;
};

const placed = {
  ...{ id: true, meetingId: true, object: true, occurrence: true, digest: true, endsAt: true, gone: true },
  meeting: { select: { planned: true } },
} as const;

/** What a calendar has of some objects, by hashes of their places. */
export const findCopies = async (db: Db, calendarId: string, objects: readonly string[]): Promise<PlacedCopy[]> =>
  (await db.prisma.meetingCopy.findMany({ where: { calendarId, object: { in: [...objects] } }, select: placed })).map(
    ({ meeting: { planned }, ...copy }) => ({ ...copy, planned }),
  );

/** The objects of one calendar of which something is to come, by hashes of their places. */
export const findObjectsToCome = async (db: Db, calendarId: string, collection: string): Promise<string[]> =>
  (
    await db.prisma.meetingCopy.findMany({
      where: { calendarId, collection, gone: false, endsAt: { gt: new Date() } },
      select: { object: true },
      distinct: ["object"],
    })
  ).map(({ object }) => object);

export const findByKeys = (db: Db, keys: readonly string[]): Promise<MeetingRow[]> =>
  db.prisma.meeting.findMany({ where: { key: { in: [...keys] } }, omit });

export async function insertMeetings(db: Db, rows: readonly MeetingRow[]): Promise<void> {
  if (rows.length > 0) await db.prisma.meeting.createMany({ data: [...rows] });
}

export async function changeMeeting(db: Db, id: string, data: Partial<Omit<MeetingRow, "id">>): Promise<void> {
  await db.prisma.meeting.updateMany({ where: { id }, data });
}

export async function insertCopies(db: Db, rows: readonly CopyRow[]): Promise<void> {
  if (rows.length > 0)
    await db.prisma.meetingCopy.createMany({ data: rows.map((row) => ({ ...row, guests: [...row.guests] })) });
}

export async function changeCopy(db: Db, id: string, { guests, ...data }: Partial<Omit<CopyRow, "id">>): Promise<void> {
  await db.prisma.meetingCopy.updateMany({
    where: { id },
    data: { ...data, ...(guests ? { guests: [...guests] } : {}) },
  });
}

/** Marks copies that were taken out of their calendar. */
export async function markGone(db: Db, ids: readonly string[], at: Date): Promise<void> {
  if (ids.length > 0)
    await db.prisma.meetingCopy.updateMany({
      where: { id: { in: [...ids] } },
      data: { gone: true, digest: "", readAt: at },
    });
}

export async function deleteCopies(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.prisma.meetingCopy.deleteMany({ where: { id: { in: [...ids] } } });
}

export async function deleteMeetings(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.prisma.meeting.deleteMany({ where: { id: { in: [...ids] } } });
}

export type WholeMeeting = MeetingRow & {
  copies: (Omit<CopyRow, "content" | "digest" | "collection"> & { ofCalendar: CopyRow["share"] })[];
  contacts: ContactRow[];
  activities: ActivityRow[];
};

/** Meetings with all that decides what timelines tell of them. */
export const findMeetings = async (db: Db, ids: readonly string[]): Promise<WholeMeeting[]> =>
  (
    await db.prisma.meeting.findMany({
      where: { id: { in: [...ids] } },
      omit,
      include: {
        copies: {
          omit: { workspaceId: true, content: true, digest: true, collection: true },
          include: { calendar: { select: { share: true } } },
        },
        contacts: { omit },
        activities: { omit },
      },
      orderBy: [{ startsAt: "asc" }, { id: "asc" }],
    })
  ).map(({ copies, ...meeting }) => ({
    ...meeting,
    copies: copies.map(({ calendar, guests, ...copy }) => ({
      ...copy,
      ofCalendar: calendar.share,
      guests: guests as unknown as Guest[],
    })),
  }));

// meeting_copies_pkey
const settle = sql(
  "meeting_copies_settle",
  `UPDATE meeting_copies c SET share = n.share, stale = false FROM unnest($1::uuid[], $2::share_level[]) AS n(id, share)
   WHERE c.workspace_id = $workspace AND c.id = n.id`,
);

/** Stores the levels of copies, which are then worked out. */
export async function settleCopies(db: Db, copies: readonly Pick<CopyRow, "id" | "share">[]): Promise<void> {
  await db.query(settle, [copies.map(({ id }) => id), copies.map(({ share }) => share)]);
}

export async function insertContacts(db: Db, rows: readonly ContactRow[]): Promise<void> {
  if (rows.length > 0) await db.prisma.meetingContact.createMany({ data: [...rows], skipDuplicates: true });
}

export async function changeContact(
  db: Db,
  { meetingId, entityId, ...data }: Pick<ContactRow, "meetingId" | "entityId"> & Partial<ContactRow>,
): Promise<void> {
  await db.prisma.meetingContact.updateMany({ where: { meetingId, entityId }, data });
}

export async function insertActivities(db: Db, rows: readonly ActivityRow[]): Promise<void> {
  if (rows.length > 0) await db.prisma.meetingActivity.createMany({ data: [...rows], skipDuplicates: true });
}

export async function changeActivity(
  db: Db,
  { meetingId, entityId, externalId }: Pick<ActivityRow, "meetingId" | "entityId" | "externalId">,
  data: Partial<Pick<ActivityRow, "activity" | "hidden">>,
): Promise<void> {
  await db.prisma.meetingActivity.updateMany({ where: { meetingId, entityId, externalId }, data });
}

/**
 * The entity `e` that an entity `w` was merged into, or itself. CASE, not coalesce, which is not leakproof: under row level security the
 * key would not be used.
 */
const KEPT = `CROSS JOIN LATERAL (SELECT id, absorbed FROM entities
     WHERE workspace_id = $workspace AND id = CASE WHEN w.merged_into IS NULL THEN w.id ELSE w.merged_into END LIMIT 1) AS e`;

const MEETING_EVENTS = `('interaction.meeting_scheduled', 'interaction.meeting_cancelled', 'interaction.meeting_held')`;

/** A meeting on a contact's timeline. `meetingId`: of the meeting that put it there; null: someone else reported it. */
export type ReportedRow = {
  /** as it was asked for */
  contactId: string;
  /** what that was merged into */
  entityId: string;
  property: string;
  value: unknown;
  source: string;
  externalId: string | null;
  at: Date;
  recordedAt: Date;
  meetingId: string | null;
};

/** Of one contact in the time of a few meetings: no one meets so often. */
const MOST_REPORTED = 10_000;

// entities_pkey, observations_timeline_idx, meeting_activities_entity_idx
const reported = sql(
  "meetings_reported",
  `SELECT w.id AS "contactId", e.id AS "entityId", o.property, o.value, o.source, ${EXTERNAL_ID} AS "externalId",
     o.observed_at AS at, o.recorded_at AS "recordedAt", (
       SELECT a.meeting_id FROM unnest(array_prepend(e.id, e.absorbed)) AS one(id) JOIN meeting_activities a
         ON a.workspace_id = $workspace AND a.entity_id = one.id WHERE a.activity IN (o.id, o.caused_by) LIMIT 1) AS "meetingId"
   FROM entities w ${KEPT} CROSS JOIN unnest(array_prepend(e.id, e.absorbed)) AS part(id)
   CROSS JOIN LATERAL (
     SELECT * FROM observations WHERE workspace_id = $workspace AND entity_id = part.id AND kind = 'event' AND observed_at >= $2 AND observed_at < $3
       AND property IN ${MEETING_EVENTS} LIMIT ${MOST_REPORTED}) AS o
   WHERE w.workspace_id = $workspace AND w.id = ANY($1::uuid[]) AND ${notRetired("o.id")}`,
);

/** The meetings on the timelines of these contacts in a time, from any source. */
export const findReported = (
  db: Db,
  contacts: readonly string[],
  { from, to }: { from: Date; to: Date },
): Promise<ReportedRow[]> =>
  contacts.length === 0 ? Promise.resolve([]) : db.query<ReportedRow>(reported, [contacts, from, to]);

/** Meetings that are over and were not looked at since. */
export const findDue = async (db: Db, now: Date, most: number): Promise<string[]> =>
  (
    await db.prisma.meeting.findMany({
      where: { dueAt: { lte: now } },
      select: { id: true },
      orderBy: { dueAt: "asc" },
      take: most,
    })
  ).map(({ id }) => id);

// meeting_activities_at_idx, entities_pkey, observations_timeline_idx
const doubled = sql(
  "meetings_doubled",
  `SELECT DISTINCT a.meeting_id AS id FROM meeting_activities a
   JOIN entities w ON w.workspace_id = $workspace AND w.id = a.entity_id ${KEPT} CROSS JOIN unnest(array_prepend(e.id, e.absorbed)) AS part(id)
   CROSS JOIN LATERAL (
     SELECT * FROM observations WHERE workspace_id = $workspace AND entity_id = part.id AND kind = 'event' AND observed_at > a.at - interval '30 minutes'
       AND observed_at < a.at + interval '12 hours' LIMIT ${MOST_REPORTED}) AS o
   WHERE a.workspace_id = $workspace AND NOT a.hidden AND a.at > $1
     AND o.property = 'interaction.' || a.type AND o.id <> a.activity AND coalesce(o.caused_by, o.id) <> a.activity
     AND (a.type = 'meeting_held' OR o.observed_at > a.at - interval '1 minute' AND o.observed_at < a.at + interval '1 minute')
     AND o.recorded_at > $2 AND ${notRetired("o.id")} LIMIT 100`,
);

/** Meetings from a time on that are on a timeline, and that someone else reported too since a moment. */
export const findDoubled = async (db: Db, from: Date, since: Date): Promise<string[]> =>
  (await db.query<{ id: string }>(doubled, [from, since])).map(({ id }) => id);
