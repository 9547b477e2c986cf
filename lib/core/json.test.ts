import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFault } from "./errors.ts";
import { canonicalJson, checkJson } from "./json.ts";

/** The parameter that the error names; undefined when the value is accepted. */
function refusedAt(value: unknown): unknown {
  try {
    checkJson(value);
    return undefined;
  } catch (error) {
    if (isFault(error)) return error.extras.parameter;
    throw error;
  }
}

const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
};

describe("checkJson", () => {
  test.each([
    ["U+0000", { a: "x\u0000" }, "a"],
    ["a lone high surrogate", { a: ["ok", "\ud800"] }, "a.1"],
    ["a lone low surrogate", { a: { b: "\udc00x" } }, "a.b"],
    ["a key with U+0000", { a: { "\u0000": 1 } }, "a"],
    ["a key that is a lone surrogate", { "\ud800": 1 }, ""],
    ["a number too large for a double", JSON.parse('{"a":1e400}'), "a"],
    ["an integer that is not exact", { a: 2 ** 60 }, "a"],
    ["a negative integer that is not exact", { a: -(2 ** 53) }, "a"],
    ["a key that would become the prototype", JSON.parse('{"a":{"__proto__":{"b":1}}}'), "a"],
    ["65 levels", nested(65), Array(64).fill("0").join(".").slice(0, 200)],
  ])("refuses %s and names the place", (_what, value, place) => {
    expect(refusedAt(value)).toBe(place);
  });

  test.each([
    ["an emoji", { a: "👩‍🚀" }],
    ["the largest safe integer", { a: Number.MAX_SAFE_INTEGER }],
    ["a large number that is no integer claim", { a: 1.5e10 }],
    ["64 levels", nested(64)],
    ["keys of Object.prototype", { constructor: 1, toString: "x", hasOwnProperty: null }],
  ])("accepts %s", (_what, value) => {
    expect(refusedAt(value)).toBeUndefined();
  });

  test("names at most 200 characters of a place", () => {
    expect(String(refusedAt({ ["k".repeat(100_000)]: { x: "\u0000" } }))).toHaveLength(200);
  });

  test("checks a body of a million values in well under a second", () => {
    const wide = Array.from({ length: 1_000_000 }, (_, index) => index);
    const started = process.threadCpuUsage();
    checkJson(wide);
    expect(process.threadCpuUsage(started).user / 1_000).toBeLessThan(1_000);
  });
});

describe("canonicalJson", () => {
  const json = fc.jsonValue({ maxDepth: 4 });

  test("is JSON of the same value", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test("does not depend on the order of keys", () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, member]) => [key, reversed(member)]),
      );
    };
    fc.assert(fc.property(json, (value) => canonicalJson(reversed(value)) === canonicalJson(value)));
  });

  test("differs for different values", () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        const same = JSON.stringify(JSON.parse(canonicalJson(a))) === JSON.stringify(JSON.parse(canonicalJson(b)));
        expect(canonicalJson(a) === canonicalJson(b)).toBe(same);
      }),
    );
  });

  test("leaves out members without a value, as JSON does", () => {
    expect(canonicalJson({ b: undefined, a: 1 })).toBe('{"a":1}');
    expect(canonicalJson(undefined)).toBe("null");
  });
});
