import fc from "fast-check";
import { expect, test } from "vitest";
import { itemOf, propertyFilterOf, propertyTests, takesValue, testsFor } from "./property-test.ts";

test.each([
  ["region=DACH", { name: "region", test: "is", value: "DACH" }],
  ["region=in:DACH,EMEA", { name: "region", test: "in", value: "DACH,EMEA" }],
  ["job_title=contains:sales", { name: "job_title", test: "contains", value: "sales" }],
  ["employees=gte:50", { name: "employees", test: "gte", value: "50" }],
  ["phone=exists:false", { name: "phone", test: "unknown", value: "" }],
  ["phone=exists:true", { name: "phone", test: "known", value: "" }],
  ["note=eq:gte:5", { name: "note", test: "is", value: "gte:5" }],
  ["note=10:30", { name: "note", test: "is", value: "10:30" }],
  ["note=is:x", { name: "note", test: "is", value: "is:x" }],
] as const)("%s", (item, filter) => {
  expect(propertyFilterOf(item)).toEqual(filter);
});

test("a filter that goes into the address comes out of it the same", () => {
  const value = fc.oneof(
    fc.string(),
    fc.constantFrom("gte:5", "eq:x", "is:x", "known:", "a=b", "10:30", "EXISTS:true"),
  );
  fc.assert(
    fc.property(fc.constantFrom("region", "a_1"), fc.constantFrom(...propertyTests), value, (name, test, text) => {
      const filter = { name, test, value: takesValue(test) ? text : "" };
      expect(propertyFilterOf(itemOf(filter))).toEqual(filter);
    }),
  );
});

test("a standard field of text has no order, and a custom one may", () => {
  expect(testsFor("text", { standard: true })).not.toContain("gte");
  expect(testsFor("text")).toContain("gte");
  expect(testsFor(undefined)).toEqual(propertyTests);
});
