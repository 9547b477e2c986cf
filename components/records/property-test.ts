import { propertyOf } from "./place.ts";

/** How a property is tested, as the API's operators have it; `known` and `unknown` are `exists:true` and `exists:false`. */
export const propertyTests = ["is", "contains", "in", "gte", "lte", "known", "unknown"] as const;
export type PropertyTest = (typeof propertyTests)[number];

export type PropertyFilter = { name: string; test: PropertyTest; value: string };
type PropertyType = "text" | "number" | "boolean" | "date" | "list";

export const testLabels: Readonly<Record<PropertyTest, string>> = {
  is: "is",
  contains: "contains",
  in: "is one of",
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
  if (type === undefined) return propertyTests;
  if (type === "boolean") return ["is", "known", "unknown"];
  if (type === "number" && standard) return ["is", "in", "gte", "lte", "known", "unknown"];
  if (type === "date") return ["gte", "lte", "known", "unknown"];
  if (type === "text" && standard) return ["is", "contains", "in", "known", "unknown"];
  return propertyTests;
};

/** True when the test compares with a value. */
export const takesValue = (test: PropertyTest): boolean => test !== "known" && test !== "unknown";

/** The filter that an item `name=value` of the address means. */
export function propertyFilterOf(item: string): PropertyFilter {
  const { name, value: text } = propertyOf(item);
  const [, word = "", rest = ""] = /^([a-z]+):(.*)$/is.exec(text) ?? [];
  const operator = word.toLowerCase();
  if (operator === "exists") return { name, test: rest === "false" ? "unknown" : "known", value: "" };
  if (operator === "eq") return { name, test: "is", value: rest };
  const test = propertyTests.find((each) => each === operator && takesValue(each) && each !== "is");
  return test ? { name, test, value: rest } : { name, test: "is", value: text };
}

/** The item of the address for a filter. A plain value that could be taken for an operator is said with `eq:`. */
export function itemOf({ name, test, value }: PropertyFilter): string {
  if (!takesValue(test)) return `${name}=exists:${test === "known"}`;
  if (test !== "is") return `${name}=${test}:${value}`;
  return /^[a-z_]+:/i.test(value) ? `${name}=eq:${value}` : `${name}=${value}`;
}
