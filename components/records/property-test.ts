import { isDay } from "#components/ui/times.ts";
import { joinList, splitList } from "#lib/text/list-text.ts";
import { propertyOf } from "./place.ts";

/**
 * How a property is tested, as the API's operators have it: `is` one of some values (`eq:`, `in:`), or none of them (`not:`);
 * `known` and `unknown` are `exists:true` and `exists:false`. `between` is ours: the API has `gte:` and `lte:` for it.
 */
export const propertyTests = ["is", "not", "contains", "gte", "lte", "between", "known", "unknown"] as const;
export type PropertyTest = (typeof propertyTests)[number];

export type PropertyFilter = { name: string; test: PropertyTest; values: readonly string[] };
type PropertyType = "text" | "number" | "boolean" | "date" | "list";

const testLabels: Readonly<Record<PropertyTest, string>> = {
  is: "is",
  not: "is not",
  contains: "contains",
  gte: "is at least",
  lte: "is at most",
  between: "is between",
  known: "is known",
  unknown: "is not known",
};

const dayLabels: Readonly<Partial<Record<PropertyTest, string>>> = { gte: "is on or after", lte: "is on or before" };

/** What a test is called for days or for other values. */
export const testLabel = (test: PropertyTest, ofDays: boolean): string =>
  (ofDays ? dayLabels[test] : undefined) ?? testLabels[test];

/** The tests a property of this type can have; for a new one, all. */
export const testsFor = (
  type: PropertyType | undefined,
  { standard = false }: { standard?: boolean } = {},
): readonly PropertyTest[] => {
  if (type === "boolean") return ["is", "not", "known", "unknown"];
  if (type === "number" && standard) return ["is", "not", "gte", "lte", "between", "known", "unknown"];
  if (type === "date") return ["gte", "lte", "between", "known", "unknown"];
  if (type === "text" && standard) return ["is", "not", "contains", "known", "unknown"];
  return propertyTests;
};

/** True when the test compares with values, of which there may be several. */
export const takesSeveral = (test: PropertyTest): boolean => test === "is" || test === "not";

/** True when the test compares with a value. */
export const takesValue = (test: PropertyTest): boolean => test !== "known" && test !== "unknown";

/** Why a test cannot be made of what was typed or picked; null when it can. */
export function problemWith(test: PropertyTest, values: readonly string[]): string | null {
  if (!takesValue(test)) return null;
  const texts = values.map((value) => value.trim()).filter(Boolean);
  if (test !== "between") return texts.length === 0 ? "Pick at least one value." : null;
  const [from = "", to = ""] = texts;
  if (texts.length < 2) return "Enter both ends.";
  const areDays = isDay(from) && isDay(to);
  if (!areDays && [from, to].some((value) => !Number.isFinite(Number(value))))
    return "Enter two numbers, or two dates such as 2026-06-03.";
  return (areDays ? from > to : Number(from) > Number(to)) ? "The first is after the second." : null;
}

const BOUNDS = "..";

function boundsOf(text: string): [from: string, to: string] {
  const [from = "", to = ""] = text.split(BOUNDS);
  return [from, to];
}

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
    case "between":
      return { test: "between", values: boundsOf(rest) };
    default:
      return { test: "is", values: [text] };
  }
}

/** The text of a test. A plain value that could be taken for an operator is said with `eq:`. */
export function textOfTest({ test, values }: Omit<PropertyFilter, "name">): string {
  const [value = ""] = values;
  if (!takesValue(test)) return `exists:${test === "known"}`;
  if (test === "not") return `not:${joinList(values)}`;
  if (test === "between") return `between:${values.join(BOUNDS)}`;
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

/** The items of the address for one filter: two for a lower and an upper bound. */
export function itemsOf(item: string): string[] {
  const { name, test, values } = propertyFilterOf(item);
  if (test !== "between") return [item];
  const [from = "", to = ""] = values;
  return [`${name}=gte:${from}`, `${name}=lte:${to}`];
}

/** The other way round: a lower and an upper bound of one property are one filter. */
export function filtersOfItems(items: readonly string[]): string[] {
  const read = items.map(propertyFilterOf);
  const onlyOne = (name: string, test: PropertyTest) => {
    const matches = read.filter((each) => each.name === name && each.test === test);
    return matches.length === 1 ? matches[0]?.values[0] : undefined;
  };
  return read.flatMap(({ name, test }, place) => {
    const item = items[place] as string;
    const [from, to] = [onlyOne(name, "gte"), onlyOne(name, "lte")];
    if (from === undefined || to === undefined || `${from}${to}`.includes(BOUNDS)) return [item];
    if (test === "gte") return [itemOf({ name, test: "between", values: [from, to] })];
    return test === "lte" ? [] : [item];
  });
}

/** The test of a closed list or of ids, as in `a,b`, `not:a` and `exists:false`: without `in:`. */
export const listTestOf = (text: string): Omit<PropertyFilter, "name"> =>
  /^(not|exists):/.test(text) ? testOf(text) : { test: "is", values: text === "" ? [] : splitList(text) };

export const textOfListTest = (test: Omit<PropertyFilter, "name">): string =>
  test.test === "is" ? joinList(test.values) : textOfTest(test);
