import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkJson } from "./json.ts";
import { checkShape, MAX_DEPTH, MOST_MEMBERS, MOST_VALUES } from "./json-shape.ts";

const PAD = " ".repeat(65 * 1024);
/** Large enough to be checked. */
const look = (text: string, lines = false) => checkShape(Buffer.from(text + PAD), lines);
const many = (count: number, one: (index: number) => string, separator = ",") =>
  Array.from({ length: count }, (_, index) => one(index)).join(separator);

describe("a large body", () => {
  const members = (count: number) => `{${many(count, (index) => `"k${index}":1`)}}`;
  const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

  test.each<[string, string, RegExp]>([
    ["an object that is too wide", members(MOST_MEMBERS + 1), /an object of more than 10,000 members/],
    ["one deep inside", `{"a":[{"b":${members(MOST_MEMBERS + 1)}}]}`, /10,000 members/],
    ["too many values in a list", `{"a":[${many(MOST_VALUES, () => "1")}]}`, /more than 300,000 values/],
    ["too many lists", `{"a":[${many(MOST_VALUES / 2 + 1, () => "[]")}]}`, /300,000 values/],
    ["lists too deep", nested(MAX_DEPTH + 1), /deeper than 64/],
    ["objects too deep", `${'{"a":'.repeat(MAX_DEPTH + 1)}1`, /deeper than 64/],
    ["a string that never ends", `{"a":"${"\\".repeat(2)}",${many(MOST_VALUES, () => "1")}`, /300,000|10,000/],
  ])("is refused for %s", (_what, text, message) => {
    expect(() => look(text)).toThrow(message);
  });

  test.each<[string, string]>([
    ["an object as wide as is allowed", members(MOST_MEMBERS)],
    ["two of them beside each other", `[${members(MOST_MEMBERS)},${members(MOST_MEMBERS)}]`],
    ["a list of many values", `[${many(MOST_VALUES - 2, () => "1")}]`],
    ["nesting as deep as is allowed", nested(MAX_DEPTH)],
    ["brackets, commas and quotes in a string", JSON.stringify({ a: '[{",\\'.repeat(MOST_VALUES) })],
    ["rows of a batch", `[${many(1_000, (row) => `{"email":"p${row}@acme.example","metadata":${members(30)}}`)}]`],
    ["no JSON at all", "}}}]]]"],
    ["a string that does not end", '{"a":"[[['],
  ])("is not refused for %s", (_what, text) => {
    expect(() => look(text)).not.toThrow();
  });

  test("of lines is checked line by line, also after a broken one", () => {
    const lines = many(1_000, (row) => (row % 2 ? '{"a":{"b":"not closed' : `{"a":[${row}]}`), "\n");
    expect(() => look(lines, true)).not.toThrow();
    expect(() => look(`{"a":"not closed\n${members(MOST_MEMBERS + 1)}`, true)).toThrow(/10,000 members/);
  });

  test("is refused for its depth exactly when it would be after parsing", () => {
    const told = (work: () => void) => {
      try {
        work();
        return false;
      } catch (error) {
        return /deeper than/.test((error as Error).message);
      }
    };
    const shells = fc.array(fc.constantFrom(["[1,", "]"], ["[", ",{}]"], ['{"a]":', "}"], ['{"b":[],"c":', "}"]), {
      maxLength: 80,
    });
    fc.assert(
      fc.property(shells, (around) => {
        const text = around.reduceRight((inside, [before, after]) => `${before}${inside}${after}`, '"[{"');
        const value: unknown = JSON.parse(text);
        expect(told(() => look(text))).toBe(told(() => checkJson(value)));
      }),
      { numRuns: 100 },
    );
  });
});

test("a small body is left to the parser", () => {
  expect(() => checkShape(Buffer.from("[".repeat(60_000)))).not.toThrow();
});
