import { isDeepStrictEqual } from "node:util";
import { findMembersByUser } from "#lib/domain/access/members/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { companyAddresses, sidesOf } from "#lib/domain/integrations/mailboxes/service.ts";
import { keepMeetings, type NewCopy, type ReadObject } from "#lib/domain/knowledge/meetings/service.ts";
import { holdMail } from "#lib/domain/knowledge/messages/service.ts";
import { findByIdentifiers } from "#lib/domain/records/entities/service.ts";
import { findErased } from "#lib/domain/records/tombstones/service.ts";
import type { Meeting } from "#lib/text/calendar/meetings.ts";
import { digestOf } from "#lib/text/digest.ts";
import {
  type CalendarRow,
  type CollectionRow,
  findCollections,
  findLogins,
  findMailboxAddresses,
  lockCalendar,
  type ObjectOutcomes,
  type Outcomes,
  saveCollection,
} from "../queries.ts";
import { judge, occurrenceOf } from "../rules/judge.ts";
import type { MeetingOutcome } from "../words.ts";

/**
 * An object of a calendar as it was read: an event with its exceptions. Without meetings it is not there any more, unless some of its events
 * are `unreadable`: then it stays as it is.
 */
export type Arrived = { object: string; meetings: readonly Meeting[]; unreadable?: number };

/** Some objects of a calendar. `from`: its position when they were asked for. `to`: its row once they are kept; null: there are more. */
export type Batch = {
  calendar: CalendarRow;
  collection: string;
  from: CollectionRow["position"] | null;
  to: Omit<CollectionRow, "calendarId" | "url" | "outcomes"> | null;
  arrived: readonly Arrived[];
  /** it is read whole */
  whole: boolean;
  /** what was done with the meetings of the objects so far; null: that is not known until it is read whole */
  counts: ObjectOutcomes | null;
};

/** A hash of where something is. */
export const objectOf = (collection: string, href: string): string => digestOf([collection, href]);

/**
 * Keeps some objects, and with the last of them moves the calendar's position, in the caller's transaction. Returns what was done with all so
 * far. "ended", and nothing is kept: the calendar has changed, or another run moved the position.
 */
export async function keepBatch(ctx: Ctx, batch: Batch): Promise<Batch["counts"] | "ended"> {
  const { calendar: asked, collection: url, from, to, arrived, whole } = batch;
  await holdMail(ctx);
  const calendar = await lockCalendar(ctx.db, asked.id);
  if (calendar?.state !== "connected" || !isDeepStrictEqual(calendar.chosen, asked.chosen)) return "ended";
  const now = (await findCollections(ctx.db, asked.id)).find((one) => one.url === url);
  if (!isDeepStrictEqual(now?.position ?? null, from)) return "ended";
  const reader = { ...(await readerOf(ctx, calendar)), erased: await erasedOf(ctx, arrived) };
  const read = arrived.map((one) => readObject(one, reader));
  const holder = { calendarId: calendar.id, userId: calendar.userId, share: calendar.share, collection: url };
  await keepMeetings(
    ctx,
    holder,
    read.flatMap(({ outcomes, ...object }) => (outcomes.unreadable ? [] : object)),
    { again: whole },
  );
  const counts = batch.counts && countsWith(batch.counts, read);
  const summed = counts && { objects: counts, outcomes: sumOf(Object.values(counts)) };
  if (to) await saveCollection(ctx.db, { calendarId: calendar.id, url, ...to }, summed);
  return counts;
}

function sumOf(each: readonly Outcomes[]): Outcomes {
  const sum: Outcomes = {};
  for (const [outcome, count] of each.flatMap((one) => Object.entries(one) as [MeetingOutcome, number][]))
    sum[outcome] = (sum[outcome] ?? 0) + count;
  return sum;
}

/** Outcomes by object, with those of some that were read; an object without meetings is not there any more. */
function countsWith(before: ObjectOutcomes, read: readonly { object: string; outcomes: Outcomes }[]): ObjectOutcomes {
  const counts = { ...before };
  for (const { object, outcomes } of read)
    if (Object.keys(outcomes).length > 0) counts[object] = outcomes;
    else delete counts[object];
  return counts;
}

type Reader = Parameters<typeof judge>[1];

/** Addresses of people who were erased, which no one has again: a calendar does not bring them back, as the recorder decides. */
async function erasedOf(ctx: Ctx, arrived: readonly Arrived[]): Promise<Set<string>> {
  const addresses = arrived.flatMap(({ meetings }) =>
    meetings.flatMap(({ organizer, guests }) => [...guests, ...(organizer ? [organizer] : [])]),
  );
  const named = [...new Set(addresses.map(({ address }) => address))].map(
    (value) => ({ kind: "email", value }) as const,
  );
  const erased = await findErased(ctx, named);
  if (erased.length === 0) return new Set();
  const back = new Set((await findByIdentifiers(ctx.db, erased)).map(({ value }) => value));
  return new Set(erased.flatMap(({ value }) => (back.has(value) ? [] : [value])));
}

async function readerOf(ctx: Ctx, { userId, blocked, addsContacts }: CalendarRow): Promise<Omit<Reader, "erased">> {
  const logins = await findLogins(ctx.db);
  const sides = sidesOf([...(await companyAddresses(ctx)), ...logins.map(({ address }) => address)], blocked);
  const member = (await findMembersByUser(ctx.db, [userId])).get(userId);
  const mine = [
    ...(member ? [member.email] : []),
    ...(await findMailboxAddresses(ctx.db, userId)),
    ...logins.flatMap((login) => (login.userId === userId ? [login.address] : [])),
  ];
  return { sides, mine: new Set(mine.map((address) => address.toLowerCase())), addsContacts };
}

function readObject({ object, meetings, unreadable }: Arrived, reader: Reader): ReadObject & { outcomes: Outcomes } {
  const copies = new Map<string, NewCopy>();
  const hidden = new Set<string>();
  const outcomes: Outcomes = unreadable ? { unreadable } : {};
  for (const meeting of meetings) {
    const { outcome, copy } = judge(meeting, reader);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (copy) copies.set(copy.occurrence, copy);
    else hidden.add(occurrenceOf(meeting));
  }
  return { object, copies: [...copies.values()], hidden, outcomes };
}
