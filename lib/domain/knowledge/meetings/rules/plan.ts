import { MEETING_SOURCE, type MeetingType } from "../words.ts";

/** What a meeting put on a contact's timeline. `hidden`: it was taken off again. */
export type ToldActivity = { externalId: string; type: MeetingType; at: Date; activity: string; hidden: boolean };

/** What someone else reported of a contact's meeting. */
export type OtherReport = {
  type: MeetingType;
  at: Date;
  recordedAt: Date;
  source: string;
  externalId: string | null;
  /** the UID that it names */
  uid: string | null;
  /** the booking was replaced or called off */
  isOff: boolean;
  /** another meeting of a calendar put it there */
  isOurs: boolean;
};

/** A meeting as it is for one contact. */
export type Wish = {
  /** the workspace may know of it */
  isKnown: boolean;
  isOn: boolean;
  /** it is not on because it does not take place, or they declined */
  isCancelled: boolean;
  /** it is over, and they had accepted */
  isHeld: boolean;
  startsAt: Date;
  endsAt: Date;
  uid: string;
  /** its external id, to which later times add a number */
  id: string;
  repeats: boolean;
  /** when a calendar last said how it stands */
  changedAt: Date;
};

/** An activity to record. `uid`: the external id of the time that it is about; null where that is someone else's booking. */
export type ToTell = Omit<ToldActivity, "activity" | "hidden"> & { uid: string | null; movedFrom: string | null };

export type Plan = {
  tell: ToTell[];
  hide: ToldActivity[];
  show: ToldActivity[];
  replace: { source: string; externalId: string; byExternalId: string }[];
};

const SAME_TIME_MS = 60_000;
/** A recording begins before the meeting, or late. */
const AROUND_MS = 30 * 60_000;

const isAt = (one: Date, other: Date): boolean => Math.abs(one.getTime() - other.getTime()) < SAME_TIME_MS;

/**
 * What to change on a contact's timeline so that it shows a meeting once: nothing where no one shares it, and not what someone else
 * reported, as a booking provider, a recorder or an agent. A person's meeting of the same minute is the same meeting.
 */
export function planFor(told: readonly ToldActivity[], reported: readonly OtherReport[], wish: Wish): Plan {
  if (!wish.isKnown) return { tell: [], hide: told.filter(({ hidden }) => !hidden), show: [], replace: [] };
  const { tell, replace } = wish.isOn ? scheduled(told, reported, wish) : calledOff(told, reported, wish);
  const isRecorded = reported.some(({ type, at }) => type === "meeting_held" && isAround(at, wish));
  const isHeld = wish.isOn && wish.isHeld && !isRecorded;
  if (isHeld)
    tell.push({
      ...({ externalId: heldId(wish.id), type: "meeting_held", at: wish.startsAt } as const),
      ...{ uid: null, movedFrom: null },
    });
  const isTold = (one: ToldActivity): boolean => {
    if (one.type === "meeting_held") return isHeld;
    // It names no booking, so it would call off whatever is at its time.
    if (isForeign(one, wish) && wish.isOn && isAt(one.at, wish.startsAt)) return false;
    return !reported.some(({ type, at, isOff }) => type === one.type && isAt(at, one.at) && !isOff);
  };
  return {
    tell: tell.filter(({ externalId }) => !told.some((one) => one.externalId === externalId)),
    hide: told.filter((one) => !one.hidden && !isTold(one)),
    show: told.filter((one) => one.hidden && isTold(one)),
    replace,
  };
}

type Changes = Pick<Plan, "tell" | "replace">;

/** The time that a meeting has now, in place of one that it had. */
function scheduled(told: readonly ToldActivity[], reported: readonly OtherReport[], wish: Wish): Changes {
  const slots = slotsOf(told);
  const live = liveOf(told);
  if (live && isAt(live.at, wish.startsAt)) return { tell: [], replace: [] };
  const bookings = reported.filter(({ type, isOff }) => type === "meeting_scheduled" && !isOff);
  const theirs = bookings.find(({ at }) => isAt(at, wish.startsAt));
  const externalId = slots.length === 0 ? wish.id : `${wish.id}#${slots.length}`;
  const by = theirs ? (theirs.externalId ?? externalId) : externalId;
  // What names the same UID at another time was moved, unless it was said after the calendar.
  const moved = wish.repeats
    ? []
    : bookings.filter(
        ({ uid, at, recordedAt, isOurs }) =>
          !isOurs && uid === wish.uid && !isAt(at, wish.startsAt) && recordedAt.getTime() < wish.changedAt.getTime(),
      );
  const replaced = [
    ...(live ? [{ source: MEETING_SOURCE, externalId: live.externalId }] : []),
    ...moved.flatMap((one) => (one.externalId === null ? [] : [{ source: one.source, externalId: one.externalId }])),
  ];
  return {
    tell: [
      ...moved.filter((one) => one.externalId === null).map(({ at }) => cancellationOf(wish, at)),
      ...(theirs
        ? []
        : [
            {
              ...({ externalId, type: "meeting_scheduled", at: wish.startsAt, uid: externalId } as const),
              movedFrom: live?.externalId ?? moved[0]?.externalId ?? null,
            },
          ]),
    ],
    replace: replaced.map((one) => ({ ...one, byExternalId: by })),
  };
}

/** A meeting that does not take place, or that its guest declined: what was booked is called off. */
function calledOff(told: readonly ToldActivity[], reported: readonly OtherReport[], wish: Wish): Changes {
  const live = liveOf(told);
  const isCalledOff = (at: Date) => reported.some((one) => one.type === "meeting_cancelled" && isAt(one.at, at));
  const same = reported.filter(
    ({ type, at, isOff }) => type === "meeting_scheduled" && !isOff && isAt(at, live?.at ?? wish.startsAt),
  );
  const theirs = wish.isCancelled ? same.find(({ isOurs }) => !isOurs) : undefined;
  if (!theirs && (same.length > 0 || live?.hidden)) return { tell: [], replace: [] };
  const at = theirs?.at ?? live?.at;
  if (!at || isCalledOff(at)) return { tell: [], replace: [] };
  if (!live || theirs) return { tell: [cancellationOf(wish, at)], replace: [] };
  const cancelled = { externalId: cancelledId(live.externalId), type: "meeting_cancelled", at } as const;
  return { tell: [{ ...cancelled, uid: live.externalId, movedFrom: null }], replace: [] };
}

/** Calls off what someone else booked for a time. */
const cancellationOf = ({ id }: Wish, at: Date): ToTell => ({
  ...({ externalId: foreignId(id, at), type: "meeting_cancelled", at } as const),
  ...{ uid: null, movedFrom: null },
});

const isForeign = ({ externalId, at }: ToldActivity, { id }: Wish): boolean => externalId === foreignId(id, at);

const foreignId = (id: string, at: Date): string => cancelledId(`${id}@${at.toISOString()}`);
const cancelledId = (externalId: string): string => `cancelled:${externalId}`;
const heldId = (id: string): string => `held:${id}`;

/** The times that were told, in order. */
const slotsOf = (told: readonly ToldActivity[]): ToldActivity[] =>
  told
    .filter(({ type }) => type === "meeting_scheduled")
    .toSorted((a, b) => numberOf(a.externalId) - numberOf(b.externalId));

const numberOf = (externalId: string): number => Number(/#(\d+)$/.exec(externalId)?.[1] ?? 0);

/** The time that was told last, unless it was called off. */
function liveOf(told: readonly ToldActivity[]): ToldActivity | undefined {
  const last = slotsOf(told).at(-1);
  return told.some(({ externalId }) => externalId === cancelledId(last?.externalId ?? "")) ? undefined : last;
}

const isAround = (at: Date, { startsAt, endsAt }: Wish): boolean =>
  at.getTime() > startsAt.getTime() - AROUND_MS && at.getTime() < endsAt.getTime() + AROUND_MS;
