import { expect, test } from "vitest";
import { nextOf } from "./arrow-walk.ts";

test.each([
  ["ArrowDown", -1, 3, false, 0],
  ["ArrowDown", 1, 3, true, 2],
  ["ArrowDown", 2, 3, false, 0],
  ["ArrowUp", 0, 3, false, 2],
  ["ArrowUp", -1, 3, false, 2],
  ["ArrowUp", 2, 3, true, 1],
  ["Home", 2, 3, false, 0],
  ["End", 0, 3, false, 2],
  ["Home", 2, 3, true, null],
  ["End", 0, 3, true, null],
  ["a", 0, 3, false, null],
  ["ArrowDown", -1, 0, false, null],
] as const)("%s from %d of %d", (key, at, count, isText, next) => {
  expect(nextOf(key, at, count, isText)).toBe(next);
});
