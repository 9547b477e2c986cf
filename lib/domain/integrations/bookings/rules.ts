import { normaliseEmail } from "#lib/domain/records/entities/service.ts";
import type { ListedBooking } from "#lib/providers/cal-com/client.ts";
import type { Booking } from "#lib/providers/news.ts";

export const BOOKING_SOURCE = "cal_com";

/** The input of `captureSignals` for one attendee. */
export type BookingSignal = {
  email: string;
  name?: string;
  type: "meeting_scheduled" | "meeting_cancelled";
  source: typeof BOOKING_SOURCE;
  description: string;
  externalId: string;
  occurredAt: Date;
  metadata: Record<string, string>;
  createContact: boolean;
};

/** The input of `supersedeActivity`: the slot a booking moved away from. */
export type SupersededSlot = { source: typeof BOOKING_SOURCE; externalId: string; byExternalId: string };

/**
 * The same from a webhook, a backfill and the hourly reconciliation, so that none of them records again what another
 * did.
 */
const bookedId = (uid: string): string => `cal_com_book_${uid}`;
const cancelledId = (uid: string): string => `cal_com_cancel_${uid}`;

/** A booking of the provider's API as the rules see it. */
export function bookingOf(listed: ListedBooking): Booking {
  const end = Date.parse(listed.end ?? "");
  return {
    uid: listed.uid,
    previousUid: listed.rescheduledFromUid ?? null,
    nextUid: listed.rescheduledToUid ?? null,
    status: listed.status,
    start: listed.start,
    end: Number.isFinite(end) ? new Date(end) : null,
    title: listed.title ?? null,
    location: listed.location ?? null,
    icalUid: listed.icsUid ?? null,
    attendees: listed.attendees ?? [],
    hosts: (listed.hosts ?? []).flatMap(({ email, displayEmail }) => [email, displayEmail]),
  };
}

/**
 * One `meeting_scheduled` for every attendee. `own` are addresses (lower case) that are never contacts; the booking's
 * hosts never are either. Only a new booking turns unknown attendees into contacts; one that moved does not.
 */
export const bookedSignals = (booking: Booking, own: ReadonlySet<string>): BookingSignal[] =>
  attendeesOf(booking, own).map((attendee) => ({
    ...attendee,
    ...common(booking),
    type: "meeting_scheduled",
    description: `Booked: ${titleOf(booking)}`,
    externalId: bookedId(booking.uid),
    createContact: !booking.previousUid,
  }));

/** One `meeting_cancelled` for every attendee who is a contact already. */
export const cancelledSignals = (booking: Booking, own: ReadonlySet<string>): BookingSignal[] =>
  attendeesOf(booking, own).map((attendee) => ({
    ...attendee,
    ...common(booking),
    type: "meeting_cancelled",
    description: `Cancelled${booking.requestReschedule ? ", reschedule requested" : ""}: ${titleOf(booking)}`,
    externalId: cancelledId(booking.uid),
    createContact: false,
  }));

/** The slot this booking moved away from; null when it did not move. */
export const supersededSlot = ({ uid, previousUid }: Booking): SupersededSlot | null =>
  previousUid ? { source: BOOKING_SOURCE, externalId: bookedId(previousUid), byExternalId: bookedId(uid) } : null;

export type Reading =
  | { signals: BookingSignal[]; supersedes: SupersededSlot | null; skipped: null }
  /** `moved`: the old half of a reschedule. `undecided`: pending, rejected or a status we do not know. */
  | { signals: []; supersedes: SupersededSlot | null; skipped: "moved" | "undecided" };

/** What a booking listed by the API means, by its current status. */
export function readBooking(booking: Booking, own: ReadonlySet<string>): Reading {
  // The old half of a reschedule is listed as cancelled, sometimes as accepted; webhooks never call it cancelled.
  if (booking.nextUid) {
    const supersedes = supersededSlot({ ...booking, uid: booking.nextUid, previousUid: booking.uid });
    return { signals: [], supersedes, skipped: "moved" };
  }
  const supersedes = supersededSlot(booking);
  if (booking.status === "accepted") return { signals: bookedSignals(booking, own), supersedes, skipped: null };
  if (booking.status === "cancelled") return { signals: cancelledSignals(booking, own), supersedes, skipped: null };
  return { signals: [], supersedes: null, skipped: "undecided" };
}

/** Whether the address is among the attendees: the provider's filter by address is only a hint. */
export const attends = ({ attendees }: Booking, email: string): boolean =>
  attendees.some((attendee) => attendee.email && normaliseEmail(attendee.email) === email);

/** Placeholder for an attendee who gave only a phone number. */
const PHONE_ADDRESS = /@sms\.cal\.com$/;

function attendeesOf({ attendees, hosts = [] }: Booking, own: ReadonlySet<string>): { email: string; name?: string }[] {
  const hosting = new Set(hosts.map((host) => host?.trim().toLowerCase()));
  const guests = new Map<string, { email: string; name?: string }>();
  for (const attendee of attendees) {
    const email = attendee.email ? normaliseEmail(attendee.email) : null;
    if (email === null || own.has(email) || hosting.has(email) || PHONE_ADDRESS.test(email)) continue;
    const name = clean(attendee.name, 200);
    if (!guests.has(email)) guests.set(email, name === "" ? { email } : { email, name });
  }
  return [...guests.values()];
}

function common(booking: Booking) {
  const { uid, previousUid, start, end } = booking;
  const metadata: Record<string, string> = {
    start: start.toISOString(),
    ...(end ? { end: end.toISOString() } : {}),
    title: titleOf(booking),
    uid,
    ...(booking.icalUid ? { ical_uid: clean(booking.icalUid, 300) } : {}),
    ...(booking.location ? { location: clean(booking.location, 1000) } : {}),
    ...(previousUid ? { rescheduled_from: previousUid } : {}),
  };
  return { source: BOOKING_SOURCE, occurredAt: start, metadata } as const;
}

const titleOf = ({ title }: Booking): string => clean(title, 300) || "Meeting";

/** A provider's text as we can store it: well formed, without U+0000, limited in length. */
const clean = (text: string | null | undefined, most: number): string =>
  (text ?? "").replaceAll("\u0000", "").slice(0, most).toWellFormed().trim();
