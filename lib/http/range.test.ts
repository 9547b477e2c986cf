import { expect, test } from "vitest";
import { partOf } from "./range.ts";

const whole = { start: 0, end: 100, partial: false };
const part = (start: number, end: number) => ({ start, end, partial: true });

test.each([
  [undefined, undefined, whole],
  ["bytes=0-", undefined, part(0, 100)],
  ["bytes=10-19", undefined, part(10, 20)],
  ["bytes=10-999", undefined, part(10, 100)],
  ["bytes=99-", undefined, part(99, 100)],
  ["bytes=-30", undefined, part(70, 100)],
  ["bytes=-300", undefined, part(0, 100)],
  ["bytes = 5 - 6", undefined, part(5, 7)],
  ["bytes=100-", undefined, null],
  ["bytes=-0", undefined, null],
  ["bytes=5-4", undefined, whole],
  ["bytes=-", undefined, whole],
  ["bytes=0-1,5-6", undefined, whole],
  ["lines=0-1", undefined, whole],
  ["bytes=10-19", '"it"', part(10, 20)],
  ["bytes=10-19", '"other"', whole],
  ["bytes=10-19", 'W/"it"', whole],
  ["bytes=10-19", "Sun, 22 Nov 2026 14:00:00 GMT", whole],
])("%s if %s is %o", (range, ifRange, expected) => {
  expect(partOf({ range, ifRange }, '"it"', 100)).toEqual(expected);
});

test("nothing of an empty file can be asked for", () => {
  expect(partOf({ range: "bytes=0-", ifRange: undefined }, '"it"', 0)).toBeNull();
  expect(partOf({ range: undefined, ifRange: undefined }, '"it"', 0)).toEqual({ start: 0, end: 0, partial: false });
});
