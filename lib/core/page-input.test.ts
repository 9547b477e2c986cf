import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  counted,
  counting,
  cursorPage,
  cursorPaging,
  MOST_SKIPPED,
  offsetPage,
  offsetPaging,
  totalOf,
} from "./page-input.ts";

/** What is read of the parameters of a page; the refused ones when some are. */
function read(schema: z.ZodRawShape, given: object): unknown {
  const { data, error } = z.strictObject(schema).safeParse(given);
  return error ? error.issues.map(({ path, code }) => path.join(".") || code) : data;
}

describe("the parameters of a page", () => {
  test.each<[string, z.ZodRawShape, object, unknown]>([
    ["a list by offset", offsetPaging, {}, { limit: 100, offset: 0 }],
    ["a list by offset", offsetPaging, { offset: 0 }, { limit: 100, offset: 0 }],
    [
      "a list by offset",
      offsetPaging,
      { limit: 1000, offset: 7, cursor: "c" },
      { limit: 1000, offset: 7, cursor: "c" },
    ],
    ["a list by offset", offsetPaging, { limit: 1001 }, { limit: 1000, offset: 0 }],
    ["a list by offset", offsetPaging, { offset: -1 }, ["offset"]],
    ["a list by offset", offsetPaging, { offset: MOST_SKIPPED }, { limit: 100, offset: MOST_SKIPPED }],
    ["a list by offset", offsetPaging, { offset: MOST_SKIPPED + 1 }, ["offset"]],
    ["a list by offset", offsetPaging, { limit: 0, offset: 0.5 }, ["limit", "offset"]],
    ["a list by cursor", cursorPaging(20, 50), {}, { limit: 20 }],
    ["a list by cursor", cursorPaging(20, 50), { limit: 50, cursor: "c" }, { limit: 50, cursor: "c" }],
    ["a list by cursor", cursorPaging(20, 50), { limit: 51 }, { limit: 50 }],
    ["a list by cursor", cursorPaging(20, 50), { limit: 1 }, { limit: 1 }],
    ["a list by cursor", cursorPaging(20, 50), { limit: 49 }, { limit: 49 }],
    ["a list by cursor", cursorPaging(20, 50), { offset: 1 }, ["unrecognized_keys"]],
    ["a list that can count", counting, {}, {}],
    ["a list that can count", counting, { include: "count" }, { include: "count" }],
    ["a list that can count", counting, { include: "total" }, ["include"]],
  ])("of %s are read, lowered to what it allows, or refused: case %#", (_, schema, given, expected) => {
    expect(read(schema, given)).toEqual(expected);
  });
});

test.each([
  ["by offset", offsetPage, { limit: 2, offset: 0, has_more: true, next_cursor: "c" }],
  ["by offset", offsetPage, { limit: 2, offset: 0, has_more: false, next_cursor: null }],
  ["by cursor", cursorPage, { limit: 2, has_more: false, next_cursor: null }],
])("a page of a list %s says all of that of itself", (_, schema, page) => {
  expect(read(schema, page)).toEqual(page);
  expect(read(schema, {})).toEqual(Object.keys(page));
});

test.each([
  [0, 0, false],
  [9_999, 9_999, false],
  [10_000, 10_000, false],
  [10_001, 10_000, true],
])("%d rows that were counted are said to be %d, and capped: %s", (rows, count, capped) => {
  expect(totalOf(rows)).toEqual({ count, capped });
  expect(read(counted, { total: totalOf(rows) })).toEqual({ total: { count, capped } });
  expect(read(counted, {})).toEqual({});
  expect(read(counted, { total: {} })).toEqual(["total.count", "total.capped"]);
});

test("a page size says what it is when it is left out, and what it is at most", () => {
  const text = "Page size; default 20. Values above 50 are lowered to 50.";
  expect(cursorPaging(20, 50).limit.description).toBe(text);
});
