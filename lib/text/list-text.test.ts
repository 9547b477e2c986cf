import fc from "fast-check";
import { expect, test } from "vitest";
import { joinList, splitList } from "./list-text.ts";

test.each([
  ["a, b", ["a", "b"]],
  ["a\\,b", ["a,b"]],
  ["a\\\\,b", ["a\\", "b"]],
  ["a\\b", ["a\\b"]],
  ["", [""]],
  ["a,", ["a", ""]],
])("%j", (text, parts) => {
  expect(splitList(text)).toEqual(parts);
});

test("values without blanks at their ends come out as they were", () => {
  const value = fc.string().map((text) => text.trim());
  fc.assert(
    fc.property(fc.array(value, { minLength: 1 }), (values) => {
      expect(splitList(joinList(values))).toEqual(values);
    }),
  );
});
