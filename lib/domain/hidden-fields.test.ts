import { describe, expect, test } from "vitest";
import { requireVisible, textWithoutHidden, withoutHidden } from "./hidden-fields.ts";

const limits = { kinds: [], hiddenFields: ["phone", "salary"] };
const seen = (value: unknown) => withoutHidden(limits, value);

describe("of an answer is left", () => {
  test("a person, with the field but not its value", () => {
    const person = {
      id: "1",
      entity_id: "1",
      source: "api",
      phone: "+4930",
      properties: { salary: 9, region: "DACH" },
    };
    expect(seen({ person })).toEqual({ person: { ...person, phone: null, properties: { region: "DACH" } } });
  });

  test.each([
    [
      "claims by name",
      { claims: { phone: { value: 1 }, job_title: { value: 2 } } },
      { claims: { job_title: { value: 2 } } },
    ],
    ["items about a property", [{ property: "salary", value: 1 }, { property: "region" }], [{ property: "region" }]],
    ["identifiers", [{ kind: "phone", value: "+4930" }, { kind: "email" }], [{ kind: "email" }]],
    ["samples", { properties: [{ name: "salary", samples: [1] }] }, { properties: [] }],
    [
      "reasons of a score",
      { icp: { score: 1, tier: "a", reason: "x", contributions: [] } },
      { icp: { score: 1, tier: "a" } },
    ],
    ["texts and numbers", { a: "phone", b: [1, null, true, "salary"] }, { a: "phone", b: [1, null, true, "salary"] }],
  ])("%s", (_what, given, left) => {
    expect(seen(given)).toEqual(left);
    expect(JSON.parse(textWithoutHidden(limits, JSON.stringify(given)))).toEqual(left);
  });

  test("everything, for a caller without hidden fields", () => {
    const answer = { phone: 1 };
    expect(withoutHidden({ kinds: ["people"], hiddenFields: [] }, answer)).toBe(answer);
    expect(textWithoutHidden({ kinds: ["people"], hiddenFields: [] }, "no JSON")).toBe("no JSON");
  });
});

describe("an input is refused", () => {
  test.each([
    { phone: "+4930" },
    { phone_number: "+4930" },
    { properties: { salary: ["gte:1"] } },
    { people: [{ email: "a@b.example", salary: 1 }] },
    { observations: [{ property: "phone", value: 1 }] },
    { filters: { "property.salary": "1" } },
    { name: "salary" },
    { kind: "phone" },
  ])("%j", (input) => {
    expect(() => requireVisible(limits, input)).toThrow(expect.objectContaining({ code: "beyond_limits" }));
    expect(() => requireVisible({ kinds: ["people"], hiddenFields: [] }, input)).not.toThrow();
  });

  test.each([{ property: "region" }, { search: "phone" }, { focus: "salary" }, { content: "phone: +4930" }])(
    "not for %j",
    (input) => expect(() => requireVisible(limits, input)).not.toThrow(),
  );
});
