import { expect, test } from "vitest";
import { idOf, keyOf, movedTimes } from "./identity.ts";

const day = (date: number, hour = 9) => new Date(Date.UTC(2026, 11, date, hour));
const time = (planned: Date | null) => ({ occurrence: planned?.toISOString() ?? "", planned });

test("a meeting's external id is its UID, with the planned time of a repeated one", () => {
  expect(idOf({ uid: "u@acme", planned: null })).toBe("u@acme");
  expect(idOf({ uid: "u@acme", planned: day(3) })).toBe("u@acme/2026-12-03T09:00:00.000Z");
  const long = idOf({ uid: "ä".repeat(998), planned: day(3) });
  expect(long).toMatch(/^sha256:[\w-]{43}\/2026/);
});

test("another UID, time or organizer is another meeting", () => {
  const one = { uid: "u@acme", planned: day(3), organizer: "ada@rapport.example" };
  const keys = [one, { ...one, uid: "v@acme" }, { ...one, planned: day(4) }, { ...one, organizer: null }].map(keyOf);
  expect(new Set(keys).size).toBe(4);
  expect(keyOf({ ...one })).toBe(keys[0]);
});

test("times of a repeated meeting that was moved as a whole are those of before", () => {
  const gone = [time(day(1)), time(day(8)), time(day(15))];
  const fresh = [time(day(1, 11)), time(day(8, 11)), time(day(16, 11))];
  const pairs = movedTimes(gone, fresh);
  expect([...pairs].map(([now, before]) => [now.occurrence, before.occurrence])).toEqual([
    [fresh[0]?.occurrence, gone[0]?.occurrence],
    [fresh[1]?.occurrence, gone[1]?.occurrence],
  ]);
  expect(movedTimes([time(null)], [time(day(1))]).size).toBe(0);
});
