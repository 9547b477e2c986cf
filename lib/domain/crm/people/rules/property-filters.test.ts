import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFault } from "#lib/core/errors.ts";
import { operators, propertyFilters } from "./property-filters.ts";
import type { Subject } from "./standard-fields.ts";

const testsOf = (name: string, values: string[], subject: Subject = "person") =>
  propertyFilters(subject, { [name]: values }).map(({ test: each }) => each);
const wanted = (folded: string, number: number | null = null, time: Date | null = null) => ({ folded, number, time });

describe("a property filter", () => {
  test.each<[string, string[], unknown[]]>([
    ["region", ["DACH"], [{ is: "any", wanted: [wanted("dach")] }]],
    [
      "region",
      ["DACH", "in:EMEA, Nórdics", "eq:x"],
      [{ is: "any", wanted: ["dach", "emea", "nordics", "x"].map((each) => wanted(each)) }],
    ],
    ["region", [""], [{ is: "any", wanted: [wanted("")] }]],
    ["employees", ["50"], [{ is: "any", wanted: [wanted("50", 50)] }]],
    ["employees", ["eq:050"], [{ is: "any", wanted: [wanted("050")] }]],
    ["employees", ["gte:-2.5", "lte:1e3x"], []],
    [
      "employees",
      ["gte:-2.5", "LTE: 7"],
      [
        { is: "number", than: "gte", value: -2.5 },
        { is: "number", than: "lte", value: 7 },
      ],
    ],
    ["renewal", ["gte:2026-06-03"], [{ is: "time", than: "gte", value: new Date("2026-06-03") }]],
    ["region", ["not:EMEA, Nórdics"], [{ is: "not", wanted: [wanted("emea"), wanted("nordics")] }]],
    [
      "region",
      ["not:x\\,y", "in:a\\\\b"],
      [
        { is: "any", wanted: [wanted("a\\b")] },
        { is: "not", wanted: [wanted("x,y")] },
      ],
    ],
    ["region", ["not:"], []],
    ["pipeline_stage", ["not:client,aware"], [{ is: "stage", stages: ["identified", "interested", "evaluating"] }]],
    ["note", ["contains: Ünder_ %"], [{ is: "contains", folded: "under_ %" }]],
    ["note", ["exists:true"], [{ is: "exists", exists: true }]],
    ["note", ["eq:eq:x"], [{ is: "any", wanted: [wanted("eq:x")] }]],
    ["note", ["10:30"], [{ is: "any", wanted: [wanted("10:30")] }]],
    ["note", ["mailto:a@b.c"], [{ is: "any", wanted: [wanted("mailto:a@b.c")] }]],
    ["note", ["__proto__:x"], [{ is: "any", wanted: [wanted("__proto__:x")] }]],
    ["phone", ["50"], [{ is: "any", wanted: [wanted("50")] }]],
    ["created_at", ["2026-06-03"], [{ is: "any", wanted: [wanted("2026-06-03", null, new Date("2026-06-03"))] }]],
    ["pipeline_stage", ["Client", "in:aware,interested"], [{ is: "stage", stages: ["client", "aware", "interested"] }]],
    ["pipeline_stage", ["lte:aware"], [{ is: "stage", stages: ["identified", "aware"] }]],
    ["pipeline_stage", ["gte:evaluating"], [{ is: "stage", stages: ["evaluating", "client"] }]],
    ["stage", ["client"], [{ is: "stage", stages: ["client"] }]],
    ["pipeline_stage", ["contains:nt"], [{ is: "stage", stages: ["identified", "interested", "client"] }]],
  ])("%s=%j", (name, values, expected) => {
    if (expected.length === 0) expect(() => testsOf(name, values)).toThrow();
    else expect(testsOf(name, values)).toEqual(expected);
  });

  test.each(["created_at", "renewal"])("takes days ago as a bound of %s", (name) => {
    const now = Date.now();
    const [bound] = testsOf(name, ["gte:7d"]) as { value: Date }[];
    expect(bound).toMatchObject({ is: "time", than: "gte" });
    expect(Math.abs((bound?.value.getTime() ?? 0) - (now - 7 * 86_400_000))).toBeLessThan(60_000);
    expect(() => testsOf("icp_score", ["gte:7d"])).toThrow("a number");
  });

  test("of a company is about a company's fields", () => {
    expect(testsOf("job_title", ["gte:5"], "company")).toEqual([{ is: "number", than: "gte", value: 5 }]);
    expect(() => testsOf("industry", ["gte:5"], "company")).toThrow(/industry: is text/);
    expect(() => testsOf("employee_count", ["many"], "company")).toThrow(/is a number/);
  });

  test("is read or refused with the parameter's name and all operators, whatever it holds", () => {
    const name = fc.constantFrom("region", "job_title", "icp_score", "created_at", "pipeline_stage", "source", "email");
    const value = fc
      .tuple(fc.constantFrom("", ...operators.map((each) => `${each}:`), "gt:", "x:"), fc.string())
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(name, fc.array(value, { minLength: 1, maxLength: 4 }), (property, values) => {
        try {
          expect(testsOf(property, values).length).toBeGreaterThan(0);
        } catch (error) {
          if (!isFault(error)) throw error;
          expect(error).toMatchObject({
            code: "invalid_parameter",
            extras: { parameter: `property.${property}`, allowed: operators },
          });
        }
      }),
    );
  });

  test("with eq is expressible for every text", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const [plain] = testsOf("region", [`eq:${text}`]);
        expect(plain).toMatchObject({ is: "any", wanted: [{ folded: expect.any(String) }] });
      }),
    );
  });
});
