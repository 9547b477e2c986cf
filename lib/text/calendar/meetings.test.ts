import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { CalendarUnreadable, meetingsIn } from "./meetings.ts";

const window = { from: new Date("2026-03-01T00:00:00Z"), to: new Date("2026-05-01T00:00:00Z") };
const calendar = (...lines: string[]): string =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN", ...lines, "END:VCALENDAR", ""].join("\r\n");
const event = (...lines: string[]): string[] => ["BEGIN:VEVENT", "DTSTAMP:20260101T000000Z", ...lines, "END:VEVENT"];
const startsIn = (...lines: string[]) =>
  meetingsIn(calendar(...lines), window).meetings.map(({ start }) => start.toISOString());

const berlin = [
  ...["BEGIN:VTIMEZONE", "TZID:Custom Berlin", "BEGIN:STANDARD", "DTSTART:19961027T030000", "TZOFFSETFROM:+0200"],
  ...["TZOFFSETTO:+0100", "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU", "END:STANDARD", "BEGIN:DAYLIGHT"],
  ...["DTSTART:19810329T020000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU"],
  ...["END:DAYLIGHT", "END:VTIMEZONE"],
];

describe("meetingsIn", () => {
  test("reads one meeting with its people", () => {
    const { meetings } = meetingsIn(
      calendar(
        ...event(
          "UID:one@acme.example",
          "DTSTART:20260310T130000Z",
          "DTEND:20260310T133000Z",
          "SUMMARY;LANGUAGE=en:Demo\\, second",
          "DESCRIPTION:Line one\\nLine two",
          "LOCATION:Room 4",
          "SEQUENCE:3",
          'ORGANIZER;CN="Lee, Sam":mailto:Sam@Rapport.example',
          "ATTENDEE;CN=Anna Smith;PARTSTAT=ACCEPTED:MAILTO:anna@acme.example",
          "ATTENDEE;PARTSTAT=DECLINED:mailto:tom@acme.example",
          "ATTENDEE;CUTYPE=ROOM;PARTSTAT=ACCEPTED:mailto:room4@rapport.example",
          "ATTENDEE;CN=No address:invalid:nomail",
        ),
      ),
      window,
    );
    expect(meetings).toEqual([
      {
        uid: "one@acme.example",
        planned: null,
        start: new Date("2026-03-10T13:00:00Z"),
        end: new Date("2026-03-10T13:30:00Z"),
        allDay: false,
        title: "Demo, second",
        description: "Line one\nLine two",
        location: "Room 4",
        status: "confirmed",
        isPrivate: false,
        organizer: { address: "sam@rapport.example", name: "Lee, Sam" },
        guests: [
          { address: "anna@acme.example", name: "Anna Smith", answer: "accepted", kind: "person" },
          { address: "tom@acme.example", name: null, answer: "declined", kind: "person" },
          { address: "room4@rapport.example", name: null, answer: "accepted", kind: "room" },
        ],
        sequence: 3,
      },
    ]);
  });

  test("keeps the hour where it is when clocks change", () => {
    const weekly = (start: string) =>
      event("UID:w", start, "DURATION:PT30M", "RRULE:FREQ=WEEKLY;COUNT=4", "SUMMARY:Weekly");
    const spring = [
      "2026-03-20T09:00:00.000Z",
      "2026-03-27T09:00:00.000Z",
      "2026-04-03T08:00:00.000Z",
      "2026-04-10T08:00:00.000Z",
    ];
    expect(startsIn(...weekly("DTSTART;TZID=Europe/Berlin:20260320T100000"))).toEqual(spring);
    expect(startsIn(...berlin, ...weekly("DTSTART;TZID=Custom Berlin:20260320T100000"))).toEqual(spring);
    expect(startsIn(...weekly("DTSTART;TZID=W. Europe Standard Time:20260320T100000"))).toEqual(spring);
  });

  test("knows what of a repeated meeting was moved, cancelled and left out", () => {
    const { meetings } = meetingsIn(
      calendar(
        ...event(
          "UID:daily",
          "DTSTART:20260302T090000Z",
          "DTEND:20260302T093000Z",
          "RRULE:FREQ=DAILY;COUNT=5",
          "EXDATE:20260303T090000Z",
          "SUMMARY:Stand-up",
          "ATTENDEE:mailto:anna@acme.example",
        ),
        ...event(
          "UID:daily",
          "RECURRENCE-ID:20260304T090000Z",
          "DTSTART:20260304T140000Z",
          "DTEND:20260304T143000Z",
          "SUMMARY:Stand-up\\, later",
        ),
        ...event(
          "UID:daily",
          "RECURRENCE-ID:20260305T090000Z",
          "DTSTART:20260305T090000Z",
          "DTEND:20260305T093000Z",
          "STATUS:CANCELLED",
        ),
      ),
      window,
    );
    expect(
      meetings.map(({ planned, start, title, status }) => [
        planned?.toISOString().slice(8, 16),
        start.toISOString().slice(8, 16),
        title,
        status,
      ]),
    ).toEqual([
      ["02T09:00", "02T09:00", "Stand-up", "confirmed"],
      ["04T09:00", "04T14:00", "Stand-up, later", "confirmed"],
      ["05T09:00", "05T09:00", "Stand-up", "cancelled"],
      ["06T09:00", "06T09:00", "Stand-up", "confirmed"],
    ]);
    expect(meetings.every(({ guests }) => guests[0]?.address === "anna@acme.example")).toBe(true);
  });

  test("gives what is in the window, also what began before and was moved into it", () => {
    const far = (uid: string, start: string, ...more: string[]) =>
      event(`UID:${uid}`, `DTSTART:${start}`, "DURATION:PT1H", ...more);
    expect(
      meetingsIn(
        calendar(
          ...far("before", "20260228T100000Z"),
          ...far("during", "20260228T233000Z"),
          ...far("after", "20260502T100000Z"),
          ...far("moved", "20260101T100000Z", "RRULE:FREQ=YEARLY"),
          ...far("moved", "20260320T100000Z", "RECURRENCE-ID:20270101T100000Z"),
        ),
        window,
      ).meetings.map(({ uid }) => uid),
    ).toEqual(["during", "moved"]);
  });

  test("knows whole days in every time zone", () => {
    const { meetings } = meetingsIn(
      calendar(...event("UID:days", "DTSTART;VALUE=DATE:20260310", "DTEND;VALUE=DATE:20260312", "SUMMARY:Fair")),
      window,
    );
    expect(meetings).toMatchObject([
      { allDay: true, start: new Date("2026-03-10T00:00:00Z"), end: new Date("2026-03-12T00:00:00Z") },
    ]);
  });

  test.each([
    ["CLASS:PRIVATE", true],
    ["CLASS:CONFIDENTIAL", true],
    ["CLASS:PUBLIC", false],
    ["X-NOTHING:1", false],
  ])("with %s is private: %s", (line, isPrivate) => {
    const { meetings } = meetingsIn(calendar(...event("UID:c", "DTSTART:20260310T130000Z", line)), window);
    expect(meetings).toMatchObject([{ isPrivate }]);
  });

  test("leaves out what repeats by the second, alarms, tasks, and an event that cannot be read", () => {
    const begun = process.threadCpuUsage();
    const { meetings } = meetingsIn(
      calendar(
        ...event("UID:seconds", "DTSTART:20000101T000000Z", "RRULE:FREQ=SECONDLY", "SUMMARY:x"),
        ...["BEGIN:VTODO", "UID:todo", "DTSTART:20260310T130000Z", "END:VTODO"],
        ...event(
          "UID:fine",
          "DTSTART:20260310T130000Z",
          "BEGIN:VALARM",
          "TRIGGER:-PT15M",
          "DESCRIPTION:Alarm",
          "END:VALARM",
          "SUMMARY:Fine",
        ),
        ...event("UID:broken", "DTSTART:nonsense", "SUMMARY:Broken"),
      ),
      window,
    );
    expect(meetings.map(({ title }) => title)).toContain("Fine");
    expect(meetings.map(({ uid }) => uid)).not.toContain("seconds");
    expect(process.threadCpuUsage(begun).user / 1_000).toBeLessThan(5_000);
  });

  test.each(["", "<html></html>", "BEGIN:VCARD"])("refuses %j", (text) => {
    expect(() => meetingsIn(text, window)).toThrow(CalendarUnreadable);
  });

  test("writes nothing of an event to the log", () => {
    const warn = vi.spyOn(console, "warn");
    meetingsIn(calendar(...event("UID:x", "DTSTART:20260310T130000Z", "EXDATE:secret", "DURATION:secret")), window);
    expect(warn).not.toHaveBeenCalled();
    expect(console.warn).toBe(warn);
  });

  test("never throws anything but CalendarUnreadable, whatever the text", () => {
    const sound = calendar(
      ...berlin,
      ...event(
        "UID:a",
        "DTSTART;TZID=Custom Berlin:20260310T130000",
        "RRULE:FREQ=WEEKLY",
        "EXDATE:20260317T120000Z",
        "ATTENDEE;CN=A:mailto:a@b.example",
      ),
    );
    const damaged = fc
      .record({ at: fc.nat(sound.length), cut: fc.nat(60), put: fc.string({ maxLength: 20 }) })
      .map(({ at, cut, put }) => sound.slice(0, at) + put + sound.slice(at + cut));
    fc.assert(
      fc.property(damaged, (text) => {
        try {
          meetingsIn(text, window);
        } catch (error) {
          expect(error).toBeInstanceOf(CalendarUnreadable);
        }
      }),
      { numRuns: 300 },
    );
  });
});
