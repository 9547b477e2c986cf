import { expect, test } from "vitest";
import { calledOffBy, labelOf, propertiesOfType, typeOf } from "./rules.ts";

test.each([
  ["text", "text"],
  [" ", null],
  [{ description: "d", title: "t" }, "d"],
  [{ description: " ", title: "t" }, "t"],
  [{ metadata: 1 }, null],
  [["x"], null],
  [null, null],
  [7, null],
])("the label of %j is %j", (value, expected) => expect(labelOf(value)).toBe(expected));

test("an activity's type is its property without the prefix, and a filter means both", () => {
  expect([typeOf("interaction.call"), typeOf("trial.started")]).toEqual(["call", "trial.started"]);
  expect(propertiesOfType("call")).toEqual(["interaction.call", "call"]);
});

const meeting = (uid: unknown, hour: number, more: object = {}) => ({
  entityId: "anna",
  source: "cal_com",
  value: uid === undefined ? null : { metadata: { uid } },
  at: new Date(Date.UTC(2026, 10, 21, hour)),
  ...more,
});

test.each([
  ["its booking", meeting("a", 9), meeting("a", 9), true],
  ["its booking, whose time is told otherwise", meeting("a", 9), meeting("a", 10), true],
  ["another booking of its time, as when a slot is booked again", meeting("a", 9), meeting("b", 9), false],
  ["a booking of its name elsewhere", meeting("a", 9), meeting("a", 9, { source: "calendly" }), false],
  ["a booking of its name with somebody else", meeting("a", 9), meeting("a", 9, { entityId: "ben" }), false],
  ["its time, and no booking", meeting("a", 9), meeting(undefined, 9), true],
  ["another time, and no booking", meeting("a", 9), meeting(undefined, 10), false],
  ["its time, when it names no booking itself", meeting(undefined, 9), meeting("a", 9), true],
  ["its time, when neither names a booking", meeting(7, 9), meeting("", 9), true],
  ["another time, when neither names a booking", meeting(undefined, 9), meeting(undefined, 10), false],
])("a meeting and a cancellation that names %s", (_, booked, cancelled, off) => {
  expect(calledOffBy([meeting("other", 12), cancelled])(booked)).toBe(off);
});

test("without a cancellation no meeting is called off", () => expect(calledOffBy([])(meeting("a", 9))).toBe(false));
