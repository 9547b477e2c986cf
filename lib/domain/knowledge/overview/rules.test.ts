import { describe, expect, test } from "vitest";
import { daysUntil, isSilent, kindOf } from "./rules.ts";

test.each([
  ["interaction.email_sent", "email"],
  ["interaction.email_bounced", "email"],
  ["interaction.linkedin_message", "message"],
  ["interaction.call", "call"],
  ["interaction.meeting_cancelled", "meeting"],
  ["interaction.website_visit", "visit"],
  ["interaction.note", "note"],
  ["note.saved", "note"],
  ["interaction.custom", "other"],
  ["invoice_paid", "other"],
])("%s counts as %s", (property, kind) => {
  expect(kindOf(property)).toBe(kind);
});

test.each([
  ["that reported each day, after four days and an hour", [1, 2, 3, 4, 5, 6], 10, true],
  ["that reported each day, after a weekend", [1, 2, 3, 4, 5, 6], 9, false],
  ["that reported each week, within twice its longest pause", [1, 8, 15, 22, 32], 51, false],
  ["that reported each week, after that", [1, 8, 15, 22, 32], 52, true],
  ["that reported on four days only", [1, 2, 3, 4], 60, false],
])("a source %s: silent %s", (_what, days, today, silent) => {
  const at = (day: number, hours = 0) => new Date(day * 86_400_000 + hours * 3_600_000);
  expect(isSilent({ days, lastAt: at(days.at(-1) ?? 0) }, at(today, 1))).toBe(silent);
});

describe("the days until now", () => {
  const startsIn = (zone: string, now: string, count: number) =>
    daysUntil(new Date(now), zone, count).map(({ day, start }) => `${day} ${start.toISOString().slice(0, 16)}`);

  test("end with today where the reader is", () => {
    expect(startsIn("UTC", "2026-06-03T23:30:00Z", 2)).toEqual([
      "2026-06-02 2026-06-02T00:00",
      "2026-06-03 2026-06-03T00:00",
    ]);
    expect(startsIn("Asia/Kathmandu", "2026-06-03T23:30:00Z", 1)).toEqual(["2026-06-04 2026-06-03T18:15"]);
    expect(startsIn("Pacific/Honolulu", "2026-06-03T02:00:00Z", 1)).toEqual(["2026-06-02 2026-06-02T10:00"]);
  });

  test("begin at midnight on both sides of a change of clocks", () => {
    expect(startsIn("Europe/Berlin", "2026-03-30T12:00:00Z", 3)).toEqual([
      "2026-03-28 2026-03-27T23:00",
      "2026-03-29 2026-03-28T23:00",
      "2026-03-30 2026-03-29T22:00",
    ]);
    expect(startsIn("America/New_York", "2026-11-02T12:00:00Z", 3)).toEqual([
      "2026-10-31 2026-10-31T04:00",
      "2026-11-01 2026-11-01T04:00",
      "2026-11-02 2026-11-02T05:00",
    ]);
  });

  test("begin at one where clocks go forward at midnight", () => {
    expect(startsIn("Africa/Cairo", "2026-04-25T12:00:00Z", 3)).toEqual([
      "2026-04-23 2026-04-22T22:00",
      "2026-04-24 2026-04-23T22:00",
      "2026-04-25 2026-04-24T21:00",
    ]);
  });

  test("are as many as asked, each once, without gaps", () => {
    for (const zone of ["UTC", "Europe/Berlin", "America/Santiago", "Australia/Lord_Howe", "Asia/Beirut"]) {
      const days = daysUntil(new Date("2026-11-21T06:00:00Z"), zone, 400);
      const lengths = days.slice(1).map(({ start }, index) => start.getTime() - (days[index]?.start.getTime() ?? 0));
      expect(new Set(days.map(({ day }) => day)).size).toBe(400);
      expect(Math.min(...lengths)).toBeGreaterThanOrEqual(23 * 3_600_000);
      expect(Math.max(...lengths)).toBeLessThanOrEqual(25 * 3_600_000);
    }
  });
});
