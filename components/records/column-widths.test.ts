import fc from "fast-check";
import { expect, test } from "vitest";
import { LEAST, moved, reordered, widthsIn, widthsText } from "./column-widths.ts";

test.each([
  [
    ["email:20", "property.a:b:12.5"],
    [
      ["email", 20],
      ["property.a:b", 12.5],
    ],
  ],
  [["email", "email:x", ":5", "email:1", "email:9999", "email:NaN"], []],
  [null, []],
  ["email:20", []],
] as const)("widths in %j", (given, expected) => {
  expect([...widthsIn(given as string[] | null)]).toEqual(expected);
});

test("widths survive the address", () => {
  const widths = new Map([
    ["email", 20.5],
    ["property.region", 9],
  ]);
  expect(widthsIn(widthsText(widths))).toEqual(widths);
  expect(widthsText(new Map())).toBeNull();
});

test("a line that moves keeps the width of both together, and neither becomes too narrow", () => {
  fc.assert(
    fc.property(
      fc.double({ min: LEAST, max: 60, noNaN: true }),
      fc.double({ min: LEAST, max: 60, noNaN: true }),
      fc.double({ min: -200, max: 200, noNaN: true }),
      (left, right, by) => {
        const [a, b] = moved(left, right, by);
        expect(a + b).toBeCloseTo(left + right);
        expect(Math.min(a, b)).toBeGreaterThanOrEqual(LEAST - 1e-9);
      },
    ),
  );
});

test("a column that moves leaves the others in their order", () => {
  expect(reordered(["a", "b", "c"], "a", 2)).toEqual(["b", "c", "a"]);
  expect(reordered(["a", "b", "c"], "c", 0)).toEqual(["c", "a", "b"]);
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { minLength: 1 }), fc.nat(), fc.integer(), (ids, which, to) => {
      const id = ids[which % ids.length] as string;
      const after = reordered(ids, id, to);
      expect(after.filter((other) => other !== id)).toEqual(ids.filter((other) => other !== id));
      expect(after).toHaveLength(ids.length);
    }),
  );
});
