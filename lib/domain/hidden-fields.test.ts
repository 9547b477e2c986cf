import { describe, expect, test } from "vitest";
import { z } from "zod";
import { operations } from "#lib/registry.ts";
import { requireVisible, textWithoutHidden, withoutHidden } from "./hidden-fields.ts";
import { reachOf } from "./reach.ts";

const limits = { kinds: [], hiddenFields: ["phone", "salary"] };
const seen = (value: unknown) => withoutHidden(limits, value);

const contractOf = (name: string) => {
  const found = operations.find(({ contract }) => contract.name === name);
  if (!found) throw new Error(`no operation ${name}`);
  return found.contract;
};

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

describe("a custom property that is called like a key of ours", () => {
  const names = ["items", "people", "value", "state", "person", "claims", "kind", "limit"];
  const hiding = { kinds: [], hiddenFields: names };

  test("takes nothing of ours with it, and is gone where properties are", () => {
    const answer = {
      ...{ items: [{ kind: "state", value: "Berlin" }], limit: 5, person: { properties: { region: "DACH" } } },
      people: [{ id: "1", kind: "person" }],
      claims: { region: { value: "DACH" } },
    };
    const withThem = {
      ...answer,
      person: { properties: { region: "DACH", value: 1, state: "Bavaria" } },
      claims: { region: { value: "DACH" }, items: { value: "9 items" } },
      items: [...answer.items, { property: "people", value: "x" }],
    };
    expect(withoutHidden(hiding, withThem)).toEqual(answer);
    expect(JSON.parse(textWithoutHidden(hiding, JSON.stringify(withThem)))).toEqual(answer);
  });

  test("is named by no parameter of that name", () => {
    const list = contractOf("listPeople");
    expect(() => requireVisible(list, hiding, { limit: 5 })).not.toThrow();
    expect(() => requireVisible(list, hiding, { limit: 5, properties: { limit: ["eq:1"] } })).toThrow();
    expect(() => requireVisible(list, hiding, { "company.limit": "1" })).toThrow();
    const record = contractOf("recordObservations");
    const observation = { kind: "state", property: "region", value: "Bavaria" };
    expect(() => requireVisible(record, hiding, { focus: "x", observations: [observation] })).not.toThrow();
    expect(() => requireVisible(contractOf("upsertPerson"), hiding, { email: "a@b.example", limit: 5 })).toThrow();
  });
});

test("wherever an answer has names of callers' own, hidden ones are taken out, or the reason is here", () => {
  const open = ["properties", "property", "fields", "filters", "metadata", "value", "claims"];
  const ours = ["by_category", "by_kind", "names"]; // categories of the profile, kinds of attention, ids
  const maps = new Set<string>();
  const walk = (schema: unknown, name: string): void => {
    if (typeof schema !== "object" || schema === null) return;
    if ("additionalProperties" in schema && typeof schema.additionalProperties === "object") maps.add(name);
    for (const [key, each] of Object.entries(schema))
      if (key === "properties") for (const [field, part] of Object.entries(each as object)) walk(part, field);
      else if (key !== "$defs") walk(each, name); // what is any JSON stands there
  };
  for (const { contract } of operations)
    if (reachOf(contract.name)?.fields === "named")
      walk(
        z.toJSONSchema(contract.output, { io: "output", unrepresentable: "any", metadata: z.registry() }),
        contract.name,
      );
  expect([...maps].filter((name) => ![...open, ...ours].includes(name))).toEqual([]);
  expect(maps).toContain("properties");
});

describe("an input is refused", () => {
  const upsert = contractOf("upsertPerson");
  test.each([
    { phone: "+4930" },
    { phone_number: "+4930" },
    { properties: { salary: ["gte:1"] } },
    { people: [{ email: "a@b.example", salary: 1 }] },
    { observations: [{ property: "phone", value: 1 }] },
    { filters: { "property.salary": "1" } },
    { kind: "phone" },
  ])("%j", (input) => {
    expect(() => requireVisible(upsert, limits, input)).toThrow(expect.objectContaining({ code: "beyond_limits" }));
    expect(() => requireVisible(upsert, { kinds: ["people"], hiddenFields: [] }, input)).not.toThrow();
  });

  test("when it asks for the values of one", () => {
    const values = contractOf("listPropertyValues");
    expect(() => requireVisible(values, limits, { name: "salary" })).toThrow();
    expect(() => requireVisible(values, limits, { name: "region" })).not.toThrow();
    expect(() => requireVisible(contractOf("createLeadList"), limits, { name: "salary" })).not.toThrow();
  });

  test.each([{ property: "region" }, { search: "phone" }, { focus: "salary" }, { content: "phone: +4930" }])(
    "not for %j",
    (input) => expect(() => requireVisible(upsert, limits, input)).not.toThrow(),
  );
});
