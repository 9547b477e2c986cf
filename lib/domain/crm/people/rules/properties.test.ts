import { expect, test } from "vitest";
import { samplesOf, typeOf } from "./properties.ts";

test.each([
  [["a", "b"], "text"],
  [["2026-06-03", "2026-06-03T10:00:00Z"], "date"],
  [["2026-06-03", "soon"], "text"],
  [[1, 2.5], "number"],
  [[1, "1"], "text"],
  [[true], "boolean"],
  [[["a"], []], "list"],
  [[], "text"],
])("%j are of the type %s", (values, type) => {
  expect(typeOf(values)).toBe(type);
});

test("samples are the first two that differ, cut to what can be shown", () => {
  expect(samplesOf(["a", "a", "b", "c"])).toEqual(["a", "b"]);
  expect(samplesOf([["a"], ["a"], ["a", "b"]])).toEqual([["a"], ["a", "b"]]);
  const [long] = samplesOf(["😀".repeat(300)]);
  expect(Array.from(String(long))).toHaveLength(100);
  expect(String(long).endsWith("😀…")).toBe(true);
  expect(samplesOf([Array.from({ length: 9 }, String)])[0]).toHaveLength(5);
});
