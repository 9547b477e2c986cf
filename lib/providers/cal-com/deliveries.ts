import { idOf, type Json, momentOf, recordOf, recordsOf, textOf } from "../fields.ts";
import type { Booking, News } from "../news.ts";

/** The event's name as the provider has it; null when there is none. */
export const bookingEventOf = (payload: Json): string | null => textOf(payload.triggerEvent, 100);

const kinds: ReadonlyMap<string | null, "booked" | "moved" | "cancelled"> = new Map([
  ["BOOKING_CREATED", "booked"],
  ["BOOKING_RESCHEDULED", "moved"],
  ["BOOKING_CANCELLED", "cancelled"],
]);

export function readBookingNews(body: Json): News {
  const event = bookingEventOf(body);
  if (event === "PING") return { kind: "ping" };
  const kind = kinds.get(event);
  if (!kind) return { kind: "skip", reason: "unknown_event" };
  const payload = recordOf(body.payload);
  const uid = idOf(payload.uid);
  if (uid === null) return { kind: "skip", reason: "no_booking_uid" };
  const start = momentOf(payload.startTime);
  if (start === null) return { kind: "skip", reason: "no_start_time" };
  const booking: Booking = {
    uid,
    start,
    status: kind === "cancelled" ? "cancelled" : "accepted",
    end: momentOf(payload.endTime),
    title: textOf(payload.title, 1000) ?? textOf(payload.eventTitle, 1000),
    location: textOf(payload.location, 1000) ?? textOf(recordOf(payload.metadata).videoCallUrl, 1000),
    icalUid: textOf(payload.iCalUID, 300),
    attendees: recordsOf(payload.attendees).map(({ email, name }) => ({
      email: textOf(email, 320),
      name: textOf(name, 300),
    })),
    hosts: [recordOf(payload.organizer), ...recordsOf(recordOf(payload.team).members)].map(({ email }) =>
      textOf(email, 320),
    ),
    requestReschedule: payload.requestReschedule === true,
    ...(kind === "moved" ? { previousUid: previousOf(payload, uid) } : {}),
  };
  return { kind, booking };
}

/** The booking that was left behind; null when the provider does not say. */
function previousOf(payload: Json, uid: string): string | null {
  const previous = idOf(payload.rescheduleUid);
  return previous === uid ? null : previous;
}
