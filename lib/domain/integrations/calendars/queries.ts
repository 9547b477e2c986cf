import type { Db } from "#lib/db/handle.ts";
import { lockRow } from "#lib/db/row-locks.ts";
import type { Calendar, CalendarCollection, Prisma } from "#prisma/generated/client.ts";
import type { MeetingOutcome } from "./words.ts";

export type CalendarRow = Omit<Calendar, "workspaceId">;
export type Outcomes = Partial<Record<MeetingOutcome, number>>;
/** By object of a calendar. */
export type ObjectOutcomes = Record<string, Outcomes>;
export type CollectionRow = Omit<CalendarCollection, "workspaceId" | "position" | "outcomes" | "objects"> & {
  position: Prisma.JsonValue;
  outcomes: Outcomes;
};

const omit = { workspaceId: true } as const;

export const findCalendarsOf = (db: Db, userId: string): Promise<CalendarRow[]> =>
  db.prisma.calendar.findMany({ where: { userId }, omit, orderBy: { createdAt: "asc" } });

export const findCalendar = (db: Db, id: string): Promise<CalendarRow | null> =>
  db.prisma.calendar.findFirst({ where: { id }, omit });

/** A calendar to read; one whose member has left is disconnected, and its password forgotten. */
export async function findCalendarToRead(db: Db, id: string): Promise<CalendarRow | null> {
  const calendar = await findCalendar(db, id);
  if (calendar?.state !== "connected") return calendar;
  const { userId } = calendar;
  if (await db.prisma.member.findFirst({ where: { userId }, select: { id: true } })) return calendar;
  await changeCalendar(db, id, { state: "disconnected", credentials: "" });
  return null;
}

/** Notes what is wrong with a calendar, unless it got other credentials meanwhile. */
export async function noteTrouble(
  db: Db,
  { id, credentials }: Pick<CalendarRow, "id" | "credentials">,
  trouble: Partial<Pick<CalendarRow, "message" | "isVerified">>,
): Promise<void> {
  await db.prisma.calendar.updateMany({ where: { id, credentials }, data: { ...trouble, updatedAt: new Date() } });
}

/** A calendar, locked until this transaction ends. */
export async function lockCalendar(db: Db, id: string): Promise<CalendarRow | null> {
  await lockRow(db, "calendars", id);
  return findCalendar(db, id);
}

export async function insertCalendar(
  db: Db,
  row: Omit<CalendarRow, "message" | "state" | "isVerified" | "syncedAt" | "createdAt" | "updatedAt">,
): Promise<void> {
  await db.prisma.calendar.create({ data: row, select: { id: true } });
}

export async function changeCalendar(
  db: Db,
  id: string,
  data: Partial<Omit<CalendarRow, "id" | "userId">>,
): Promise<void> {
  await db.prisma.calendar.updateMany({ where: { id }, data: { ...data, updatedAt: new Date() } });
}

export const findCollections = async (db: Db, calendarId: string): Promise<CollectionRow[]> =>
  (
    await db.prisma.calendarCollection.findMany({
      where: { calendarId },
      omit: { ...omit, objects: true },
      orderBy: { name: "asc" },
    })
  ).map((row) => ({ ...row, outcomes: row.outcomes as Outcomes }));

/** What was done with the meetings of each object; null: an earlier release read them. */
export const findOutcomes = async (db: Db, calendarId: string, url: string): Promise<ObjectOutcomes | null> =>
  ((await db.prisma.calendarCollection.findFirst({ where: { calendarId, url }, select: { objects: true } }))?.objects ??
    null) as ObjectOutcomes | null;

/** `counts` null: they stay as they are. */
export async function saveCollection(
  db: Db,
  { calendarId, url, position, ...row }: Omit<CollectionRow, "outcomes">,
  counts: { objects: ObjectOutcomes; outcomes: Outcomes } | null,
): Promise<void> {
  const data = { ...row, position: position as Prisma.InputJsonObject, ...counts };
  const { count } = await db.prisma.calendarCollection.updateMany({ where: { calendarId, url }, data });
  if (count === 0)
    await db.prisma.calendarCollection.create({
      data: { outcomes: {}, ...data, calendarId, url },
      select: { url: true },
    });
}

/** Forgets calendars that are not read any more. */
export async function forgetOthers(db: Db, calendarId: string, urls: readonly string[]): Promise<void> {
  await db.prisma.calendarCollection.deleteMany({ where: { calendarId, url: { notIn: [...urls] } } });
}

/** The addresses that members sign in with to read calendars, with whose they are. */
export const findLogins = async (db: Db): Promise<{ userId: string; address: string }[]> =>
  (
    await db.prisma.calendar.findMany({ where: { login: { contains: "@" } }, select: { userId: true, login: true } })
  ).map(({ userId, login }) => ({ userId, address: login.toLowerCase() }));

/** The addresses of a member's mailboxes. */
export const findMailboxAddresses = async (db: Db, userId: string): Promise<string[]> =>
  (await db.prisma.mailbox.findMany({ where: { userId }, select: { address: true } })).map(({ address }) => address);

/** Connected calendars whose last look is longer ago. */
export const findDue = async (db: Db, before: Date): Promise<string[]> =>
  (
    await db.prisma.calendar.findMany({
      where: { state: "connected", isVerified: true, OR: [{ syncedAt: null }, { syncedAt: { lt: before } }] },
      select: { id: true },
    })
  ).map(({ id }) => id);
