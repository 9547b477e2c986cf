import { describe, expect, test } from "vitest";
import { z } from "zod";
import { anyOf, anyOrNone, anyText, chosenOf } from "./any-of.ts";

const letters = ["a", "b", "c"] as const;
const Letter = anyOf(z.enum(letters), { what: "one of a, b, c", allowed: letters });
const Maybe = anyOrNone(z.enum(letters), { what: "one of a, b, c", allowed: letters });
const Text = anyText(10);

describe("several values in one parameter", () => {
  test.each([
    ["a", { is: "any", values: ["a"] }],
    ["a, b,a", { is: "any", values: ["a", "b"] }],
    ["not:c", { is: "not", values: ["c"] }],
    ["not:b,c", { is: "not", values: ["b", "c"] }],
    ["exists:true", null],
    ["", null],
    ["a,", null],
    ["not:", null],
    ["d", null],
    ["a,d", null],
    ["gte:a", null],
  ])("%j", (text, expected) => {
    const read = Letter.safeParse(text);
    expect(read.success ? read.data : null).toEqual(expected);
    if (!read.success) expect(read.error.issues[0]).toMatchObject({ code: "invalid_value", values: letters });
  });

  test("of a field that may be empty also ask whether there is one", () => {
    expect(Maybe.parse("exists:false")).toEqual({ is: "exists", exists: false });
    expect(Maybe.parse("not:a")).toEqual({ is: "not", values: ["a"] });
    expect(Maybe.safeParse("exists:maybe").success).toBe(false);
  });

  test("are a hundred at most", () => {
    const many = anyOf(z.string(), { what: "a text" });
    expect(many.safeParse(Array.from({ length: 100 }, (_, n) => n).join(",")).success).toBe(true);
    expect(many.safeParse(Array.from({ length: 101 }, (_, n) => n).join(",")).success).toBe(false);
  });

  test("of a closed list are those named, or all others", () => {
    expect(chosenOf({ is: "any", values: ["c", "a"] }, letters)).toEqual(["a", "c"]);
    expect(chosenOf({ is: "not", values: ["c"] }, letters)).toEqual(["a", "b"]);
  });
});

describe("a text that is matched whole", () => {
  test.each([
    ["x,y", { is: "any", values: ["x,y"] }],
    ["eq:in:x", { is: "any", values: ["in:x"] }],
    ["in:x, y", { is: "any", values: ["x", "y"] }],
    ["in:x\\,y,z", { is: "any", values: ["x,y", "z"] }],
    ["not:x", { is: "not", values: ["x"] }],
    ["http://x", { is: "any", values: ["http://x"] }],
    ["in:", null],
    ["not:x,,y", null],
    ["12345678901", null],
  ])("%j", (text, expected) => {
    const read = Text.safeParse(text);
    expect(read.success ? read.data : null).toEqual(expected);
  });
});
