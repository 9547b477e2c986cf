import { newId } from "#lib/core/ids.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { findApart, findCeiling, holdMail, peopleOf, shareOf } from "#lib/domain/knowledge/messages/service.ts";
import { reaches, type ShareLevel } from "#lib/domain/knowledge/messages/words.ts";
import { findPeopleByEmail } from "#lib/domain/records/entities/service.ts";
import {
  type CopyRow,
  changeCopy,
  changeMeeting,
  deleteCopies,
  findByKeys,
  findCopies,
  insertCopies,
  insertMeetings,
  type MeetingRow,
  markGone,
  type PlacedCopy,
} from "../queries/keeping.ts";
import { keyOf, movedTimes } from "../rules/identity.ts";
import { type Content, sealContent } from "./content.ts";
import { tellMeetings } from "./tell.ts";

/** The calendar that meetings are read from. */
export type Holder = { calendarId: string; userId: string; share: ShareLevel };

/** One time of a meeting as a calendar has it. */
export type NewCopy = Pick<
  CopyRow,
  | "occurrence"
  | "startsAt"
  | "endsAt"
  | "allDay"
  | "sequence"
  | "cancelled"
  | "declined"
  | "answered"
  | "organizes"
  | "organizer"
  | "guests"
  | "digest"
> & {
  uid: string;
  planned: Date | null;
  content: Content;
  /** guests who are not known become contacts */
  addsContacts: boolean;
};

/** Where something is in a calendar, as a hash, and the meetings that are there. */
export type ReadObject = {
  object: string;
  /** times of its meetings that must not be stored any more */
  hidden: ReadonlySet<string>;
  copies: readonly NewCopy[];
};

/** A copy with its place; `before`: as it was stored there, or at another time of a repeated meeting that was moved as a whole. */
type Placed = { object: string; copy: NewCopy; before: PlacedCopy | null };

/** A copy that is kept, and the meeting that it is of. */
type KeptCopy = Placed & { meetingId: string; share: ShareLevel };

/**
 * Stores the meetings of some objects of a calendar, and says on timelines how they stand, in the caller's transaction. What is not there
 * any more was taken out, unless it is over: what has been stays. `again`: what did not change is told again, too.
 */
export async function keepMeetings(
  ctx: Ctx,
  holder: Holder & { collection: string },
  objects: readonly ReadObject[],
  { again = false } = {},
): Promise<void> {
  if (objects.length === 0) return;
  await holdMail(ctx);
  const now = new Date();
  const stored = await findCopies(
    ctx.db,
    holder.calendarId,
    objects.map(({ object }) => object),
  );
  const { placed, gone, hidden } = placesOf(objects, stored, now);
  const kept = await identify(ctx, holder, again ? placed : placed.filter(isChanged));
  await write(ctx, holder, kept, now);
  await markGone(
    ctx.db,
    gone.map(({ id }) => id),
    now,
  );
  await deleteCopies(
    ctx.db,
    hidden.map(({ id }) => id),
  );
  const left = [...gone, ...hidden].map(({ meetingId }) => meetingId);
  await tellMeetings(ctx, [...meetingsOf(kept), ...left], {
    newcomers: newcomersOf(kept),
    changed: [...meetingsOf(kept.filter(isChanged)), ...left],
  });
}

const isChanged = ({ copy, before }: Placed): boolean => before?.gone !== false || before.digest !== copy.digest;

/** The meetings that copies are of, and were of before. */
const meetingsOf = (kept: readonly KeptCopy[]): string[] =>
  kept.flatMap(({ meetingId, before }) => [meetingId, ...(before ? [before.meetingId] : [])]);

/** The result for what is stored: times that are still there, that were taken out before they were over, and that may no longer be stored. */
function placesOf(objects: readonly ReadObject[], stored: readonly PlacedCopy[], now: Date) {
  const placed: Placed[] = [];
  const gone: PlacedCopy[] = [];
  const hidden: PlacedCopy[] = [];
  const byObject = Map.groupBy(stored, ({ object }) => object);
  for (const { object, copies, hidden: unwanted } of objects) {
    const left = new Map((byObject.get(object) ?? []).map((copy) => [copy.occurrence, copy]));
    const fresh: NewCopy[] = [];
    for (const copy of copies) {
      const before = left.get(copy.occurrence);
      if (!before) fresh.push(copy);
      else placed.push({ object, copy, before });
      left.delete(copy.occurrence);
    }
    hidden.push(...[...left.values()].filter(({ occurrence }) => unwanted.has(occurrence)));
    const missing = [...left.values()].filter(
      ({ occurrence, endsAt, gone: isGone }) => !isGone && endsAt > now && !unwanted.has(occurrence),
    );
    const moved = movedTimes(missing, fresh);
    placed.push(...fresh.map((copy) => ({ object, copy, before: moved.get(copy) ?? null })));
    const paired = new Set(moved.values());
    gone.push(...missing.filter((copy) => !paired.has(copy)));
  }
  return { placed, gone, hidden };
}

/** Finds the meetings that copies are of, and how much of each its member shares; leaves out those that are with no one known. */
async function identify(ctx: Ctx, { userId, share }: Holder, placed: readonly Placed[]): Promise<KeptCopy[]> {
  if (placed.length === 0) return [];
  const { db } = ctx;
  const known = await findPeopleByEmail(
    db,
    placed.flatMap(({ copy }) => outsideOf(copy)),
  );
  const people = await peopleOf(ctx, [...known.values()]);
  const [apart, ceiling] = [await findApart(ctx.db, userId), await findCeiling(ctx.db)];
  const stored = await findByKeys(
    db,
    placed.map(({ copy }) => keyOf(copy)),
  );
  const ids = new Map(stored.map(({ key, id }) => [key, id]));
  const created: MeetingRow[] = [];
  const kept: KeptCopy[] = [];
  for (const { object, copy, before } of placed) {
    const key = keyOf(copy);
    // A time that was moved as a whole keeps its meeting, unless another calendar brought the new one already.
    const isMoved = before !== null && before.occurrence !== copy.occurrence && !ids.has(key);
    const meetingId =
      (before && (before.occurrence === copy.occurrence || isMoved) ? before.meetingId : null) ??
      ids.get(key) ??
      newId();
    const entities = outsideOf(copy).flatMap((address) => {
      const id = known.get(address);
      return id ? [people.get(id) ?? [id]] : [];
    });
    const level = shareOf({ thread: meetingId, entities }, { mailbox: share, apart, ceiling });
    if (!before && !ids.has(key)) {
      const addsSomebody = copy.addsContacts && !copy.cancelled && !copy.declined && reaches(level, "metadata");
      if (entities.length === 0 && !addsSomebody) continue;
      const { uid, planned, startsAt, endsAt } = copy;
      created.push({ ...{ id: meetingId, key, uid, planned, startsAt, endsAt }, dueAt: null });
    }
    if (isMoved) await changeMeeting(db, meetingId, { key, planned: copy.planned });
    ids.set(key, meetingId);
    kept.push({ object, copy, before, meetingId, share: level });
  }
  await insertMeetings(db, created);
  return kept;
}

async function write(
  { db }: Ctx,
  { calendarId, userId, collection }: Holder & { collection: string },
  kept: readonly KeptCopy[],
  now: Date,
): Promise<void> {
  const added: CopyRow[] = [];
  for (const { object, copy, before, meetingId, share } of kept.filter(isChanged)) {
    const { uid: _, planned: __, content, addsContacts: ___, ...row } = copy;
    const id = before?.id ?? newId();
    const place = { meetingId, collection, object, share, stale: false, gone: false, readAt: now };
    const data = { ...row, ...place, content: sealContent(id, content) };
    if (before) await changeCopy(db, id, data);
    else added.push({ ...data, id, calendarId, userId });
  }
  await insertCopies(db, added);
}

const outsideOf = ({ guests }: NewCopy): string[] =>
  guests.flatMap(({ address, outside }) => (outside ? [address] : []));

/** Whom the meetings add, by name. */
function newcomersOf(kept: readonly KeptCopy[]): Map<string, ReadonlyMap<string, string | null>> {
  const adding = kept.filter(({ copy }) => copy.addsContacts);
  return new Map(
    adding.map(({ meetingId, copy }) => [
      meetingId,
      new Map(outsideOf(copy).map((address) => [address, copy.content.names[address] ?? null])),
    ]),
  );
}
