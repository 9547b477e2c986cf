import { expect, test } from "vitest";
import type { Problem } from "./calls.ts";
import { refusalWords } from "./refusals.ts";

const rules = (...list: object[]) => `Property values were not valid: ${JSON.stringify(list)}`;
const required = { isValid: false, message: "A value is required", error: "REQUIRED_FIELD", name: "lead_source" };

test.each<[string, Problem, string | null]>([
  ["a rule", { message: rules(required) }, "lead_source: A value is required"],
  [
    "two rules",
    { message: rules(required, { name: "firstname", error: "INVALID_ALPHA" }) },
    "lead_source: A value is required; firstname: INVALID_ALPHA",
  ],
  ["a sentence", { message: "Contact already exists. Existing ID: 12" }, "Contact already exists. Existing ID: 12"],
  ["a sentence with brackets", { message: "Wrong [{value}]" }, "Wrong [{value}]"],
  [
    "names beside the sentence",
    { message: "Required properties are missing.", context: { properties: ["[lead_source]", "region"] } },
    "Required properties are missing (lead_source, region)",
  ],
  ["names in the sentence", { message: "region is missing", context: { properties: ["region"] } }, "region is missing"],
  ["ids beside the sentence", { message: "Could not get some", context: { ids: ["12"] } }, "Could not get some"],
  [
    "errors below",
    {
      message: "One or more validation errors occurred",
      errors: [{ message: rules(required) }, { message: "is missing", context: { propertyName: ["region"] } }],
    },
    "lead_source: A value is required; is missing (region)",
  ],
  ["nothing", {}, null],
])("%s is told with the property that it is about", (_what, problem, words) => {
  expect(refusalWords(problem)).toBe(words);
});
