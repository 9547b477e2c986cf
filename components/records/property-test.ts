import { joinList, splitList } from "#lib/core/list-text.ts";
import { propertyOf } from "./place.ts";

/**
 * How a property is tested, as the API's operators have it: `is` one of some values (`eq:`, `in:`), or none of them (`not:`);
 * `known` and `unknown` are `exists:true` and `exists:false`.
 */
export const propertyTests = ["is", "not", "contains", "gte", "lte", "known", "unknown"] as const;
export type PropertyTest = (typeof propertyTests)[number];

export type PropertyFilter = { name: string; test: PropertyTest; values: readonly string[] };
type PropertyType = "text" | "number" | "boolean" | "date" | "list";

export const testLabels: Readonly<Record<PropertyTest, string>> = {
  is: "is",
  not: "is not",
  contains: "contains",
  gte: "is at least",
  lte: "is at most",
  known: "is known",
  unknown: "is not known",
};

/** The tests a property of this type can have; for a new one, all. */
export const testsFor = (
  type: PropertyType | undefined,
  { standard = false }: { standard?: boolean } = {},
): readonly PropertyTest[] => {
  if (type === "boolean") return ["is", "not", "known", "unknown"];
  if (type === "number" && standard) return ["is", "not", "gte", "lte", "known", "unknown"];
  if (type === "date") return ["gte", "lte", "known", "unknown"];
  if (type === "text" && standard) return ["is", "not", "contains", "known", "unknown"];
  return propertyTests;
};

/** True when the test compares with values, of which there may be several. */
export const takesSeveral = (test: PropertyTest): boolean => test === "is" || test === "not";

/** True when the test compares with a value. */
export const takesValue = (test: PropertyTest): boolean => test !== "known" && test !== "unknown";

/** The test and the values that a filter's text means, as the API reads it. */
export function testOf(text: string): Omit<PropertyFilter, "name"> {
  const [, word = "", rest = ""] = /^([a-z]+):(.*)$/is.exec(text) ?? [];
  switch (word.toLowerCase()) {
    case "exists":
      return { test: rest === "false" ? "unknown" : "known", values: [] };
    case "eq":
      return { test: "is", values: [rest] };
    case "in":
      return { test: "is", values: splitList(rest) };
    case "not":
      return { test: "not", values: splitList(rest) };
    case "contains":
      return { test: "contains", values: [rest] };
    case "gte":
      return { test: "gte", values: [rest] };
    case "lte":
      return { test: "lte", values: [rest] };
    default:
      return { test: "is", values: [text] };
  }
}

/** The text of a test. A plain value that could be taken for an operator is said with `eq:`. */
export function textOfTest({ test, values }: Omit<PropertyFilter, "name">): string {
  const [value = ""] = values;
  if (!takesValue(test)) return `exists:${test === "known"}`;
  if (test === "not") return `not:${joinList(values)}`;
  if (test !== "is") return `${test}:${value}`;
  if (values.length > 1) return `in:${joinList(values)}`;
  return /^[a-z_]+:/i.test(value) ? `eq:${value}` : value;
}

/** The filter that an item `name=value` of the address means. */
export function propertyFilterOf(item: string): PropertyFilter {
  const { name, value } = propertyOf(item);
  return { name, ...testOf(value) };
}

/** The item of the address for a filter. */
export const itemOf = ({ name, ...test }: PropertyFilter): string => `${name}=${textOfTest(test)}`;

/** The test of a closed list or of ids, as in `a,b`, `not:a` and `exists:false`: without `in:`. */
export const listTestOf = (text: string): Omit<PropertyFilter, "name"> =>
  /^(not|exists):/.test(text) ? testOf(text) : { test: "is", values: text === "" ? [] : splitList(text) };

export const textOfListTest = (test: Omit<PropertyFilter, "name">): string =>
  test.test === "is" ? joinList(test.values) : textOfTest(test);
