import { expect, test } from "vitest";
import { remembered } from "./remembered.ts";

test("gives each text its own result, and asks once while it is remembered", () => {
  const asked: string[] = [];
  const upper = remembered((text) => {
    asked.push(text);
    return text === "" ? null : text.toUpperCase();
  }, 2);
  expect(["a", "", "a", ""].map(upper)).toEqual(["A", null, "A", null]);
  expect(asked).toEqual(["a", ""]);
  expect(["b", "a"].map(upper)).toEqual(["B", "A"]);
  expect(asked).toEqual(["a", "", "b", "a"]);
});

test("keeps no long text", () => {
  let asked = 0;
  const first = remembered((text) => {
    asked++;
    return text.slice(0, 1);
  });
  const long = "x".repeat(301);
  expect([long, long].map(first)).toEqual(["x", "x"]);
  expect(asked).toBe(2);
});
