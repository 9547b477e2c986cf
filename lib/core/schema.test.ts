import { expect, test } from "vitest";
import { DayOrTime, EmailAddress, Since, Time } from "./schema.ts";

test.each([
  [" Ada@Acme.Example ", "ada@acme.example"],
  ["a.b+c@mail.acme.co.uk", "a.b+c@mail.acme.co.uk"],
  ["root@localhost", "root@localhost"],
  ["o'hara@acme.example", "o'hara@acme.example"],
  ["ada", null],
  ["ada@", null],
  ["@acme.example", null],
  ["ada@@acme.example", null],
  ["ada@acme..example", null],
  [".ada@acme.example", null],
  ["ada @acme.example", null],
  ["ada@-acme.example", null],
  ["ada@acme.example\nbcc: x@y.example", null],
  [`${"a".repeat(250)}@acme.example`, null],
])("%j is the address %j", (text, email) => {
  expect(EmailAddress.safeParse(text).data ?? null).toBe(email);
});

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

test("a day may be a word, in UTC", () => {
  expect(Time.parse("Yesterday").toISOString()).toBe(`${inDays(-1)}T00:00:00.000Z`);
  expect(Time.safeParse("friday").success).toBe(false);
  expect(DayOrTime.parse("tomorrow")).toEqual({ time: new Date(inDays(1)), isDay: true });
  expect(DayOrTime.parse("in 3 days at 15:30")).toEqual({ time: new Date(`${inDays(3)}T15:30:00Z`), isDay: false });
});

test("a time in the past may be days ago", () => {
  expect(Since.parse("2d").toISOString().slice(0, 10)).toBe(inDays(-2));
  expect(Since.parse("yesterday").toISOString()).toBe(`${inDays(-1)}T00:00:00.000Z`);
  expect(Since.parse("2026-06-03").toISOString()).toBe("2026-06-03T00:00:00.000Z");
  expect(Since.safeParse("soon").success).toBe(false);
});
