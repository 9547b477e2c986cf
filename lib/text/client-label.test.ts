import fc from "fast-check";
import { expect, test } from "vitest";
import { givenLabel, labelOf, labelOfInfo } from "./client-label.ts";

test.each([
  [undefined, null],
  ["", null],
  ["acme-outreach/1.4", "acme-outreach/1.4"],
  ["two words", null],
  ["import/0190a6e0-0000-7000-8000-000000000061", null],
  ["x".repeat(65), null],
])("the header %j is the label %j", (header, label) => {
  expect(givenLabel(header)).toBe(label);
});

test.each([
  [{ name: "Claude Code", version: "2.1" }, "Claude-Code/2.1"],
  [{ name: "probe" }, "probe"],
  [{ name: " " }, null],
  [{ version: "1" }, null],
  [null, null],
  ["text", null],
])("a client that says %j is called %j", (info, label) => {
  expect(labelOfInfo(info)).toBe(label);
});

test("what is made a label is always one that a header may have", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const label = labelOf(text);
      expect(label === null || givenLabel(label) === label).toBe(true);
    }),
  );
});
