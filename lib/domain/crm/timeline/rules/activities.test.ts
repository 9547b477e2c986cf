import { expect, test } from "vitest";
import { labelOf, propertiesOfType, typeOf } from "./activities.ts";

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
