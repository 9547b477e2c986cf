import { describe, expect, test } from "vitest";
import cancelled from "#lib/testing/samples/cal/docs.booking_cancelled.json" with { type: "json" };
import created from "#lib/testing/samples/cal/docs.booking_created.json" with { type: "json" };
import rescheduled from "#lib/testing/samples/cal/docs.booking_rescheduled.json" with { type: "json" };
import ping from "#lib/testing/samples/cal/ping.json" with { type: "json" };
import { readBookingNews } from "./deliveries.ts";

const guests = [
  { email: "guest@example.com", name: "Guest User" },
  { email: "additional-guest@example.com", name: "Additional Guest" },
];

test("a new booking", () => {
  expect(readBookingNews(created)).toEqual({
    kind: "booked",
    booking: {
      uid: "unique-booking-id",
      status: "accepted",
      start: new Date("2024-01-01T10:00:00Z"),
      end: new Date("2024-01-01T10:15:00Z"),
      title: "Strategy Session between Organizer and Guest",
      location: "integrations:video-provider",
      icalUid: "unique-identifier-string@example.com",
      attendees: guests,
      hosts: ["organizer@example.com"],
      requestReschedule: false,
    },
  });
});

test("a booking that moved", () => {
  expect(readBookingNews(rescheduled)).toMatchObject({
    kind: "moved",
    booking: {
      uid: "new-booking-unique-id",
      previousUid: "previous-booking-unique-id",
      start: new Date("2024-01-10T14:30:00Z"),
      attendees: guests,
    },
  });
});

test("a cancellation, whose time is written otherwise", () => {
  expect(readBookingNews(cancelled)).toMatchObject({
    kind: "cancelled",
    booking: {
      uid: "unique-booking-identifier",
      status: "cancelled",
      start: new Date("2024-01-04T10:00:00Z"),
      requestReschedule: false,
    },
  });
});

test("a ping", () => {
  expect(readBookingNews(ping)).toEqual({ kind: "ping" });
});

describe("a payload with", () => {
  const of = (more: Record<string, unknown>, triggerEvent: unknown = "BOOKING_CREATED") =>
    readBookingNews({ triggerEvent, payload: { ...created.payload, ...more } });

  test.each<[string, ReturnType<typeof of>, object]>([
    ["an event nobody uses", of({}, "BOOKING_REQUESTED"), { kind: "skip", reason: "unknown_event" }],
    ["an event that is no text", of({}, 7), { kind: "skip", reason: "unknown_event" }],
    ["no event", readBookingNews({}), { kind: "skip", reason: "unknown_event" }],
    ["no envelope", readBookingNews({ triggerEvent: "MEETING_STARTED", uid: "x" }), { kind: "skip" }],
    ["nothing in it", readBookingNews({ triggerEvent: "BOOKING_CREATED" }), { kind: "skip", reason: "no_booking_uid" }],
    ["null in it", readBookingNews({ triggerEvent: "BOOKING_CREATED", payload: null }), { reason: "no_booking_uid" }],
    ["a list in it", readBookingNews({ triggerEvent: "BOOKING_CREATED", payload: [] }), { reason: "no_booking_uid" }],
    ["a blank uid", of({ uid: " " }), { kind: "skip", reason: "no_booking_uid" }],
    ["no start", of({ startTime: undefined }), { kind: "skip", reason: "no_start_time" }],
    ["a start that is no time", of({ startTime: "tomorrow" }), { kind: "skip", reason: "no_start_time" }],
    ["no attendees", of({ attendees: undefined }), { kind: "booked", booking: { attendees: [] } }],
    ["null attendees", of({ attendees: null }), { kind: "booked", booking: { attendees: [] } }],
    [
      "attendees that are none",
      of({ attendees: [null, "x", { email: null, name: 7 }] }),
      { booking: { attendees: [{}, {}, {}].map(() => ({ email: null, name: null })) } },
    ],
    [
      "a team",
      of({ team: { members: [{ email: "member@example.com" }, null] } }),
      { booking: { hosts: ["organizer@example.com", "member@example.com", null] } },
    ],
    ["no organizer", of({ organizer: null }), { booking: { hosts: [null] } }],
    [
      "a wish for another time",
      of({ requestReschedule: true }, "BOOKING_CANCELLED"),
      { booking: { requestReschedule: true } },
    ],
    [
      "no old booking",
      of({ rescheduleUid: null }, "BOOKING_RESCHEDULED"),
      { kind: "moved", booking: { previousUid: null } },
    ],
    [
      "itself as the old one",
      of({ rescheduleUid: "unique-booking-id" }, "BOOKING_RESCHEDULED"),
      { booking: { previousUid: null } },
    ],
    [
      "no location but a link",
      of({ location: null }),
      { booking: { location: "https://app.example.com/video/unique-booking-id" } },
    ],
  ])("%s", (_what, news, expected) => {
    expect(news).toMatchObject(expected);
  });
});
