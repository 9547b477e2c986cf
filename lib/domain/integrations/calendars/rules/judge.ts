import { isIn, isOwn, type Sides } from "#lib/domain/integrations/mailboxes/service.ts";
import type { NewCopy } from "#lib/domain/knowledge/meetings/service.ts";
import type { Meeting } from "#lib/text/calendar/meetings.ts";
import { digestOf } from "#lib/text/digest.ts";
import type { MeetingOutcome } from "../words.ts";

/** Who reads the calendar: the company, and which addresses are the member's own. */
type Reader = {
  sides: Sides;
  mine: ReadonlySet<string>;
  /** addresses of people who were erased: nothing names them */
  erased: ReadonlySet<string>;
  addsContacts: boolean;
};

export type Judgement =
  | { outcome: "guests"; copy: NewCopy }
  | { outcome: Exclude<MeetingOutcome, "guests" | "unreadable">; copy: null };

/** With more guests than this it is an event rather than a meeting: it adds no one. */
const MOST_NEWCOMERS = 20;

/** Which time of a repeated meeting it is. */
export const occurrenceOf = ({ planned }: Meeting): string => planned?.toISOString() ?? "";

/**
 * Decides what is kept of a meeting: nothing of one that is private, blocked or with colleagues alone. An invitation from outside that its
 * member has not answered adds no one.
 */
export function judge(whole: Meeting, { sides, mine, erased, addsContacts }: Reader): Judgement {
  const meeting = without(whole, erased);
  if (meeting.isPrivate) return { outcome: "private", copy: null };
  const { organizer, guests, title, description, location, status } = meeting;
  const people = guests.filter(({ kind }) => kind === "person");
  const everyone = [
    ...people,
    ...(organizer && !people.some(({ address }) => address === organizer.address)
      ? [{ ...organizer, answer: "accepted" as const }]
      : []),
  ];
  if (everyone.some(({ address }) => isIn(sides.blocked)(address))) return { outcome: "blocked", copy: null };
  const invited = everyone.map(({ address, answer }) => ({ address, answer, outside: !isOwn(address, sides) }));
  const outside = invited.filter((guest) => guest.outside);
  if (outside.length === 0) return { outcome: "internal", copy: null };
  const own = people.find(({ address }) => mine.has(address));
  const organizes = organizer === null || mine.has(organizer.address);
  const answered =
    organizes || isOwn(organizer.address, sides) || own?.answer === "accepted" || own?.answer === "tentative";
  const copy = {
    ...{ uid: meeting.uid, planned: meeting.planned, occurrence: occurrenceOf(meeting) },
    ...{ startsAt: meeting.start, endsAt: meeting.end, allDay: meeting.allDay },
    sequence: Math.trunc(Math.min(Math.max(meeting.sequence, 0), 2 ** 31 - 1)),
    cancelled: status === "cancelled",
    declined: own?.answer === "declined",
    ...{ answered, organizes, organizer: organizer?.address ?? null, guests: invited },
    content: {
      ...{ title, description, location },
      names: Object.fromEntries(everyone.flatMap(({ address, name }) => (name ? [[address, name]] : []))),
    },
    addsContacts: addsContacts && answered && outside.length <= MOST_NEWCOMERS,
  };
  return { outcome: "guests", copy: { ...copy, digest: digestOf(copy) } };
}

/** A meeting without some people; what it is about may name them, and goes too. */
function without(meeting: Meeting, erased: ReadonlySet<string>): Meeting {
  const { organizer, guests } = meeting;
  const isErased = ({ address }: { address: string }) => erased.has(address);
  if (![...guests, ...(organizer ? [organizer] : [])].some(isErased)) return meeting;
  return {
    ...meeting,
    ...{ title: null, description: null, location: null },
    organizer: organizer && isErased(organizer) ? null : organizer,
    guests: guests.filter((guest) => !isErased(guest)),
  };
}
