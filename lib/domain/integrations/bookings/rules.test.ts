import { describe, expect, test } from "vitest";
import type { Booking } from "#lib/providers/news.ts";
import { attends, bookedSignals, cancelledSignals, type Reading, readBooking, supersededSlot } from "./rules.ts";

const own = new Set(["olive@sender.example", "teammate@sender.example"]);
const booking = (more: Partial<Booking> = {}): Booking => ({
  uid: "u1",
  status: "accepted",
  start: new Date("2026-12-01T10:00:00Z"),
  end: new Date("2026-12-01T10:30:00Z"),
  title: "Discovery call",
  location: "https://meet.example/x",
  icalUid: "u1@Cal.com",
  attendees: [{ email: "Grace@Prospect.example", name: "Grace Prospect" }],
  hosts: ["olive@sender.example"],
  ...more,
});
const emails = (given: Partial<Booking>) => bookedSignals(booking(given), own).map(({ email }) => email);

describe("a booking", () => {
  test("is a scheduled meeting of its attendee, at the time of the meeting", () => {
    expect(bookedSignals(booking(), own)).toEqual([
      {
        email: "grace@prospect.example",
        name: "Grace Prospect",
        type: "meeting_scheduled",
        source: "cal_com",
        description: "Booked: Discovery call",
        externalId: "cal_com_book_u1",
        occurredAt: new Date("2026-12-01T10:00:00Z"),
        metadata: {
          start: "2026-12-01T10:00:00.000Z",
          end: "2026-12-01T10:30:00.000Z",
          title: "Discovery call",
          uid: "u1",
          ical_uid: "u1@Cal.com",
          location: "https://meet.example/x",
        },
        createContact: true,
      },
    ]);
  });

  test.each<[string, Partial<Booking>, string[]]>([
    [
      "every attendee",
      { attendees: [{ email: "a@x.example" }, { email: "b@x.example" }] },
      ["a@x.example", "b@x.example"],
    ],
    ["an attendee once", { attendees: [{ email: "a@x.example" }, { email: " A@X.example" }] }, ["a@x.example"]],
    ["no host", { hosts: ["Grace@prospect.example "] }, []],
    ["nobody of the own side", { attendees: [{ email: "teammate@sender.example" }] }, []],
    ["nobody without an address", { attendees: [{ email: null }, { name: "x" }, { email: "" }, { email: "no" }] }, []],
    ["nobody who gave a phone number", { attendees: [{ email: "4915112345678@sms.cal.com" }] }, []],
    ["nobody when there are no attendees", { attendees: [] }, []],
  ])("concerns %s", (_what, given, expected) => {
    expect(emails(given)).toEqual(expected);
  });

  test.each<[string, Partial<Booking>, object]>([
    ["no title", { title: null }, { description: "Booked: Meeting" }],
    ["a title that cannot be kept", { title: "A\u0000B\ud800" }, { description: "Booked: AB\ufffd" }],
    ["an endless title", { title: "x".repeat(5000) }, { description: `Booked: ${"x".repeat(300)}` }],
    ["no name", { attendees: [{ email: "a@x.example", name: " " }] }, { email: "a@x.example" }],
    [
      "nothing else",
      { end: null, location: null, icalUid: null },
      { metadata: { start: "2026-12-01T10:00:00.000Z", title: "Discovery call", uid: "u1" } },
    ],
  ])("with %s is logged all the same", (_what, given, expected) => {
    expect(bookedSignals(booking(given), own)).toEqual([expect.objectContaining(expected)]);
  });

  test("that moved names the slot it left and creates no contacts", () => {
    const moved = booking({ uid: "u2", previousUid: "u1" });
    expect(bookedSignals(moved, own)).toEqual([
      expect.objectContaining({
        externalId: "cal_com_book_u2",
        createContact: false,
        metadata: expect.objectContaining({ rescheduled_from: "u1" }),
      }),
    ]);
    expect(supersededSlot(moved)).toEqual({
      source: "cal_com",
      externalId: "cal_com_book_u1",
      byExternalId: "cal_com_book_u2",
    });
    expect(supersededSlot(booking())).toBeNull();
  });

  test.each([
    [undefined, "Cancelled: Discovery call"],
    [false, "Cancelled: Discovery call"],
    [true, "Cancelled, reschedule requested: Discovery call"],
  ])("that was cancelled (reschedule requested: %s) is one of contacts only", (requestReschedule, description) => {
    expect(cancelledSignals(booking({ requestReschedule }), own)).toEqual([
      expect.objectContaining({
        type: "meeting_cancelled",
        externalId: "cal_com_cancel_u1",
        description,
        createContact: false,
      }),
    ]);
  });
});

describe("a booking the API lists", () => {
  const slot = (from: string, by: string) => ({
    source: "cal_com" as const,
    externalId: `cal_com_book_${from}`,
    byExternalId: `cal_com_book_${by}`,
  });

  test.each<[string, Partial<Booking>, string[], Reading["supersedes"], Reading["skipped"]]>([
    ["accepted", { status: "accepted" }, ["cal_com_book_u1"], null, null],
    ["cancelled", { status: "cancelled" }, ["cal_com_cancel_u1"], null, null],
    ["pending", { status: "pending" }, [], null, "undecided"],
    ["rejected", { status: "rejected" }, [], null, "undecided"],
    ["awaiting_host", { status: "awaiting_host" }, [], null, "undecided"],
    ["of a status nobody knows", { status: "postponed" }, [], null, "undecided"],
    ["without a status", { status: "" }, [], null, "undecided"],
    ["the old half of a reschedule", { status: "cancelled", nextUid: "u2" }, [], slot("u1", "u2"), "moved"],
    ["an old half called accepted", { status: "accepted", nextUid: "u2" }, [], slot("u1", "u2"), "moved"],
    [
      "the new half of a reschedule",
      { status: "accepted", uid: "u2", previousUid: "u1" },
      ["cal_com_book_u2"],
      slot("u1", "u2"),
      null,
    ],
    [
      "a moved booking that was cancelled then",
      { status: "cancelled", uid: "u2", previousUid: "u1" },
      ["cal_com_cancel_u2"],
      slot("u1", "u2"),
      null,
    ],
    [
      "a middle of two moves",
      { status: "cancelled", uid: "u2", previousUid: "u1", nextUid: "u3" },
      [],
      slot("u2", "u3"),
      "moved",
    ],
  ])("%s", (_status, given, externalIds, supersedes, skipped) => {
    const reading = readBooking(booking(given), own);
    expect(reading.signals.map(({ externalId }) => externalId)).toEqual(externalIds);
    expect(reading).toMatchObject({ supersedes, skipped });
  });
});

test.each([
  ["grace@prospect.example", true],
  ["olive@sender.example", false],
  ["race@prospect.example", false],
])("whether %s attends is read from the attendees: %s", (email, expected) => {
  expect(attends(booking(), email)).toBe(expected);
});
