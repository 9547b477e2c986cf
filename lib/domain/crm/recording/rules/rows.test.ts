import { describe, expect, test } from "vitest";
import { fieldAliases, isCustomValue } from "./fields.ts";
import { namesIn } from "./names.ts";
import {
  type CompanyRow,
  companyOfJson,
  companyRow,
  type Ingredients,
  type PersonRow,
  personOfJson,
  personRow,
  sortKeys,
} from "./rows.ts";

const createdAt = new Date("2026-11-21T12:00:00.123Z");
const knownBy = (claims: Record<string, unknown>, identifiers: Ingredients["identifiers"] = []): Ingredients => ({
  ...{ id: "1", status: "active", createdAt, identifiers },
  claims: new Map(Object.entries(claims)),
});
const acme = { id: "2", name: "Acme", domain: "acme.com" };

const person: PersonRow = {
  ...{ id: "1", status: "active", email: "new@acme.com", firstName: "Ánna", lastName: "Smith", jobTitle: "CEO" },
  ...{
    company: "Acme",
    companyId: "2",
    linkedinUrl: "https://www.linkedin.com/in/anna",
    phone: "+49",
    owner: "o@x.io",
  },
  ...{ pipelineStage: "aware", icpScore: 72, source: "clay", createdAt, custom: { age: 7, region: "EU", tags: ["a"] } },
  search: "new@acme.com\nanna smith\nacme",
  wire: '{"id":"1","entity_id":"1","email":"new@acme.com","first_name":"Ánna","last_name":"Smith","job_title":"CEO","company":"Acme","company_id":"2","linkedin_url":"https://www.linkedin.com/in/anna","phone":"+49","source":"clay","status":"active","created_at":"2026-11-21T12:00:00.123Z","properties":{"age":7,"region":"EU","tags":["a"]}',
};
const noPerson: PersonRow = {
  ...{ id: "1", status: "active", email: null, firstName: null, lastName: null, jobTitle: null, company: null },
  ...{ companyId: null, linkedinUrl: null, phone: null, owner: null, pipelineStage: "identified", icpScore: null },
  ...{ source: "api", createdAt, custom: {}, search: "\n\n" },
  wire: '{"id":"1","entity_id":"1","email":null,"first_name":null,"last_name":null,"job_title":null,"company":null,"company_id":null,"linkedin_url":null,"phone":null,"source":"api","status":"active","created_at":"2026-11-21T12:00:00.123Z","properties":{}',
};
const company: CompanyRow = {
  ...{ id: "1", status: "active", domain: "acme.com", name: "Ácme Inc", industry: "Steel", employeeCount: 7 },
  ...{ linkedinUrl: "https://www.linkedin.com/company/acme", country: "DE", owner: "o@x.io", icpScore: 50 },
  ...{ source: "clay", createdAt, custom: { age: 7, region: "EU", tags: ["a"] }, search: "acme inc\nacme.com" },
};
const noCompany: CompanyRow = {
  ...{ id: "1", status: "active", domain: null, name: null, linkedinUrl: null, industry: null, employeeCount: null },
  ...{ country: null, owner: null, icpScore: null, source: "api", createdAt, custom: {}, search: "\n" },
};

describe("a row", () => {
  test("of a person has a column for each field, the latest identifiers, and the rest by name", () => {
    const known = knownBy(
      {
        ...{
          tags: ["a"],
          age: 7,
          region: "EU",
          first_name: "Ánna",
          last_name: "Smith",
          job_title: "CEO",
          phone: "+49",
        },
        ...{ owner: "o@x.io", pipeline_stage: "aware", icp_score: 71.6, source: "clay", works_at: "2" },
      },
      [
        { kind: "email", value: "new@acme.com" },
        { kind: "email", value: "old@acme.com" },
        { kind: "linkedin_url", value: "https://www.linkedin.com/in/anna" },
      ],
    );
    expect(personRow(known, acme)).toStrictEqual(person);
    expect(personRow(knownBy({}), null)).toStrictEqual(noPerson);
  });

  test("of a company too", () => {
    const known = knownBy(
      {
        ...{ tags: ["a"], age: 7, region: "EU", name: "Ácme Inc", industry: "Steel", employee_count: 7, country: "DE" },
        ...{ owner: "o@x.io", icp_score: 50, source: "clay" },
      },
      [
        { kind: "domain", value: "acme.com" },
        { kind: "linkedin_url", value: "https://www.linkedin.com/company/acme" },
      ],
    );
    expect(companyRow(known)).toStrictEqual(company);
    expect(companyRow(knownBy({}))).toStrictEqual(noCompany);
  });

  test.each([
    ["the name that was given", { company: "Own" }, acme, "Own"],
    ["else the name of the linked company", {}, acme, "Acme"],
    ["else its domain", {}, { ...acme, name: null }, "acme.com"],
    ["else none", {}, { ...acme, name: null, domain: null }, null],
  ])("says who a person works for: %s", (_, claims, employer, shown) => {
    const row = personRow(knownBy(claims), employer);
    expect([row.company, row.companyId]).toEqual([shown, "2"]);
  });

  test.each([
    ["CEO", "CEO"],
    [" CEO ", " CEO "],
    [" \n", null],
    [7, "7"],
    [false, "false"],
    [["CEO"], null],
    [{}, null],
  ])("shows %j as the text %j", (value, text) => {
    expect(personRow(knownBy({ job_title: value }), null).jobTitle).toBe(text);
  });

  test.each([
    [2 ** 31 - 1, 2 ** 31 - 1],
    [2 ** 31, null],
    [-(2 ** 31), null],
    [-7, -7],
    [6.5, 7],
    ["7", null],
    [Number.NaN, null],
  ])("shows %j as the number %j", (value, number) => {
    expect(companyRow(knownBy({ employee_count: value })).employeeCount).toBe(number);
  });

  test("holds under custom names only, in their order, what is no field and may be a value", () => {
    const longest = `a${"b".repeat(62)}`;
    const claims = { zip: "1", [longest]: true, [`${longest}b`]: 1, "a-b": 1, B: 1, "1a": 1, deep: {}, works_at: "x" };
    expect(Object.entries(personRow(knownBy(claims), null).custom)).toEqual([
      [longest, true],
      ["zip", "1"],
    ]);
  });

  test.each([
    ["text", true],
    ["", true],
    [0, true],
    [Number.POSITIVE_INFINITY, false],
    [false, true],
    [[], true],
    [["a", "b"], true],
    [["a", 1], false],
    [{}, false],
    [null, false],
  ])("may hold %j: %j", (value, is) => expect(isCustomValue(value)).toBe(is));
});

describe("a row that an export had is the same row", () => {
  const asJson = ({ custom, createdAt: at, ...row }: PersonRow | CompanyRow): Record<string, unknown> => ({
    ...Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name.replaceAll(/[A-Z]/g, (one) => `_${one.toLowerCase()}`), value]),
    ),
    // As a database has it: keys sorted by length, no owner as an empty text.
    ...{ created_at: at.toISOString(), owner: row.owner ?? "" },
    custom: Object.fromEntries(Object.entries(custom).sort(([a], [b]) => a.length - b.length)),
  });

  test.each([person, noPerson])("of a person", (row) => {
    const again = personOfJson({ ...asJson(row), search: "other", wire: "other" });
    expect(again).toStrictEqual(row);
  });

  test.each([company, noCompany])("of a company", (row) => {
    const again = companyOfJson({ ...asJson(row), search: "other" });
    expect(again).toStrictEqual(row);
    expect(Object.keys(again.custom)).toEqual(Object.keys(row.custom));
  });
});

test.each<[Record<string, unknown>, { name: string | null; company: string | null }]>([
  [
    { first_name: "Ánna", last_name: "Smith", email: "a@x.io", company: "Ácme" },
    { name: "anna smith", company: "acme" },
  ],
  [
    { first_name: null, last_name: "Smith", email: "a@x.io" },
    { name: "smith", company: null },
  ],
  [
    { first_name: null, last_name: null, email: "a@x.io", name: "Acme" },
    { name: "a@x.io", company: null },
  ],
  [
    { name: "Acme", domain: "acme.com" },
    { name: "acme", company: null },
  ],
  [
    { name: null, domain: "acme.com", company: "" },
    { name: "acme.com", company: null },
  ],
  [{}, { name: null, company: null }],
  [
    { name: `${"😀".repeat(100)}a`, company: "b".repeat(101) },
    { name: "😀".repeat(100), company: "b".repeat(100) },
  ],
])("lists sort %j by %j", (row, keys) => expect(sortKeys(row)).toEqual(keys));

test.each<[string | null, Record<string, string>]>([
  [" Anna  Maria\tSmith ", { first_name: "Anna", last_name: "Maria Smith" }],
  ["Anna", { first_name: "Anna" }],
  ["anna@acme.com", {}],
  ["Anna anna@acme.com", { first_name: "Anna", last_name: "anna@acme.com" }],
  [" ", {}],
  [null, {}],
  ["a".repeat(201), { first_name: "a".repeat(200) }],
  [`a ${"b".repeat(201)}`, { first_name: "a", last_name: "b".repeat(200) }],
  [`${"a".repeat(390)} ${"b".repeat(20)}`, { first_name: "a".repeat(200), last_name: "b".repeat(9) }],
])("the names in %j are %j", (name, names) => expect(namesIn(name)).toEqual(names));

test("a stage and a phone number have another name too, of a person", () => {
  expect(fieldAliases).toEqual({ person: { stage: "pipeline_stage", phone_number: "phone" }, company: {} });
});
