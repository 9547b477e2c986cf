import { expect, test } from "vitest";
import { conversions } from "./conversions.ts";

test.each([
  [
    [120, 60, 24, 8, 5],
    [null, "45%", "38%", "35%", "38%"],
  ],
  [
    [10, 0, 0, 0, 0],
    [null, "0%", null, null, null],
  ],
  [
    [0, 0, 0, 0, 3],
    [null, "100%", "100%", "100%", "100%"],
  ],
  [
    [0, 0, 0, 0, 0],
    [null, null, null, null, null],
  ],
])("of %j people by stage, %j went on", (people, shares) => expect(conversions(people)).toEqual(shares));
