import fc from "fast-check";
import { expect, test } from "vitest";
import {
  filtersOfItems,
  itemOf,
  itemsOf,
  listTestOf,
  type PropertyTest,
  problemWith,
  propertyFilterOf,
  propertyTests,
  takesSeveral,
  takesValue,
  testsFor,
  textOfListTest,
} from "./property-test.ts";

test.each([
  ["region=DACH", "region", "is", ["DACH"]],
  ["region=in:DACH,EMEA", "region", "is", ["DACH", "EMEA"]],
  ["region=in:a\\,b,c", "region", "is", ["a,b", "c"]],
  ["region=not:DACH", "region", "not", ["DACH"]],
  ["job_title=contains:sales", "job_title", "contains", ["sales"]],
  ["employees=gte:50", "employees", "gte", ["50"]],
  ["renewal=between:2026-01-01..2026-03-31", "renewal", "between", ["2026-01-01", "2026-03-31"]],
  ["phone=exists:false", "phone", "unknown", []],
  ["phone=exists:true", "phone", "known", []],
  ["note=eq:gte:5", "note", "is", ["gte:5"]],
  ["note=10:30", "note", "is", ["10:30"]],
  ["note=is:x", "note", "is", ["is:x"]],
] as const)("%s", (item, name, how, values) => {
  expect(propertyFilterOf(item)).toEqual({ name, test: how, values: [...values] });
});

test.each([
  ["aware", "is", ["aware"]],
  ["aware,client", "is", ["aware", "client"]],
  ["not:client", "not", ["client"]],
  ["exists:false", "unknown", []],
] as const)("the list %s", (text, how, values) => {
  const read = listTestOf(text);
  expect(read).toEqual({ test: how, values: [...values] });
  expect(textOfListTest(read)).toBe(text);
});

const text = fc.oneof(
  fc.string(),
  fc.constantFrom("gte:5", "eq:x", "is:x", "known:", "a=b", "10:30", "EXISTS:true", "a,b", "not:x"),
);

const valuesFor = (how: PropertyTest) =>
  !takesValue(how)
    ? fc.constant([])
    : how === "between"
      ? fc.tuple(fc.integer().map(String), fc.integer().map(String))
      : takesSeveral(how)
        ? fc.array(
            text.map((each) => `${each.trim()}.`),
            { minLength: 1, maxLength: 4 },
          )
        : fc.tuple(text);

test("a filter that goes into the address comes out of it the same", () => {
  const filter = fc
    .constantFrom(...propertyTests)
    .chain((how) =>
      fc.record({ name: fc.constantFrom("region", "a_1"), test: fc.constant(how), values: valuesFor(how) }),
    );
  fc.assert(
    fc.property(filter, (each) => {
      expect(propertyFilterOf(itemOf(each))).toEqual(each);
    }),
  );
});

test("a standard field of text has no order, and a custom one may", () => {
  expect(testsFor("text", { standard: true })).not.toContain("gte");
  expect(testsFor("text")).toContain("gte");
  expect(testsFor(undefined)).toEqual(propertyTests);
});

test("a lower and an upper bound are one filter, and two items of the address", () => {
  const items = ["region=DACH", "size=gte:10", "size=lte:50", "renewal=gte:2026-01-01"];
  const filters = ["region=DACH", "size=between:10..50", "renewal=gte:2026-01-01"];
  expect(filtersOfItems(items)).toEqual(filters);
  expect(filters.flatMap(itemsOf)).toEqual(items);
});

test.each([[["a=gte:1", "b=lte:2"]], [["a=gte:1", "a=gte:2", "a=lte:3"]], [["a=gte:1..2", "a=lte:3"]], [["a=gte:1"]]])(
  "%j stay as they are",
  (items) => {
    expect(filtersOfItems(items)).toEqual(items);
  },
);

test.each<[PropertyTest, string[], string | null]>([
  ["known", [], null],
  ["is", [" "], "Pick at least one value."],
  ["is", ["a"], null],
  ["between", ["1"], "Enter both ends."],
  ["between", ["1", " "], "Enter both ends."],
  ["between", ["9", "10"], null],
  ["between", ["10", "9"], "The first is after the second."],
  ["between", ["2026-06-03", "2026-06-03"], null],
  ["between", ["2026-06-04", "2026-06-03"], "The first is after the second."],
  ["between", ["2026-06-04", "9"], "Enter two numbers, or two dates such as 2026-06-03."],
])("%s %j: %s", (how, values, problem) => {
  expect(problemWith(how, values)).toBe(problem);
});
