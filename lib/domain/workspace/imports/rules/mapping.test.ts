import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { normaliseHeader } from "./aliases.ts";
import { mappingProblem, proposeMapping } from "./mapping.ts";

type Samples = {
  sources: Record<string, { headers: string[] }>;
  aliases_after_normalise: Record<string, string[]>;
};
const samples = JSON.parse(
  readFileSync(new URL("../../../../testing/samples/csv-headers.json", import.meta.url), "utf8"),
) as Samples;

/** What the alias table says of a header; `undefined`: nothing. */
const fieldByTable = (header: string): string | undefined =>
  Object.entries(samples.aliases_after_normalise).find(([, names]) => names.includes(normaliseHeader(header)))?.[0];

const mapped = (headers: readonly string[], row: Readonly<Record<string, string>> = {}) => {
  const columns = proposeMapping("people", headers, [headers.map((header) => row[header] ?? "")]);
  return Object.fromEntries(columns.flatMap(({ header, to }) => (to === null ? [] : [[header, to]])));
};

describe("the sample header sets", () => {
  for (const [source, { headers }] of Object.entries(samples.sources)) {
    test(`of ${source} map as their aliases say, and the rest become properties`, () => {
      const found = mapped(headers);
      const expected = new Map<string, string[]>();
      for (const header of headers) {
        const field = fieldByTable(header);
        if (field === undefined) continue;
        if (
          normaliseHeader(header) === "title" &&
          !headers.some((other) => ["email", "first_name"].includes(fieldByTable(other) ?? ""))
        )
          continue;
        expected.set(field, [...(expected.get(field) ?? []), header]);
      }
      for (const [field, possible] of expected) {
        const chosen = Object.entries(found).filter(([, to]) => to === field);
        expect(possible, field).toContain(chosen[0]?.[0]);
      }
      for (const [header, to] of Object.entries(found))
        if (!to.startsWith("property.")) expect(fieldByTable(header) ?? to, header).toBe(to);
      expect(Object.keys(found)).toEqual(headers);
    });
  }
});

test.each([
  [{ URL: "https://www.linkedin.com/in/anna" }, { URL: "linkedin_url" }],
  [{ URL: "https://acme.com" }, { URL: "company_domain" }],
  [
    { "Email Status": "verified", Email: "anna@acme.com" },
    { "Email Status": "property.email_status", Email: "email" },
  ],
  [{ Email: "verified" }, { Email: "property.email_text" }],
  [
    { "Company Linkedin Url": "https://linkedin.com/company/acme", Email: "a@b.com" },
    { "Company Linkedin Url": "company_linkedin_url", Email: "email" },
  ],
  [
    {
      "Linkedin URL Unique ID": "https://www.linkedin.com/in/ACwAAA1",
      "Linkedin URL Public": "https://www.linkedin.com/in/anna",
    },
    { "Linkedin URL Unique ID": "property.linkedin_url_unique_id", "Linkedin URL Public": "linkedin_url" },
  ],
  [
    { "Company Name for Emails": "Acme", "Company Name": "Acme GmbH", Email: "a@b.com" },
    { "Company Name for Emails": "company", "Company Name": "company", Email: "email" },
  ],
  [
    { profileUrl: "https://www.linkedin.com/sales/lead/ACwAA", defaultProfileUrl: "https://www.linkedin.com/in/anna" },
    { profileUrl: "property.profileurl", defaultProfileUrl: "linkedin_url" },
  ],
  [
    { Title: "CEO", Company: "Acme" },
    { Title: "property.title", Company: "company" },
  ],
  [
    { Title: "CEO", Email: "a@b.com" },
    { Title: "job_title", Email: "email" },
  ],
] as const)("the columns %j are %j", (row, expected) => {
  expect(mapped(Object.keys(row), row as Record<string, string>)).toEqual(expected);
});

test("a header that comes twice is the same field, and the fuller column counts first", () => {
  const columns = proposeMapping(
    "people",
    ["Email", "Email"],
    [
      ["", "c@d.com"],
      ["a@b.com", "e@d.com"],
    ],
  );
  expect(columns.map(({ to }) => to)).toEqual(["email", "email"]);
  expect(columns[0]?.proposed.why).toBe("It fills the gaps of column 2 (Email).");
});

test.each([
  ["people", ["first_name"], /No column names the records.*The file has first_name\./],
  ["people", ["email", "first_name", "first_name"], null],
  ["people", ["email", "stage", "stage"], /Columns 2 and 3 are both stage/],
  ["people", ["email", "property.status"], /property.status is the name of a field/],
  ["people", ["email", "content"], /has no field content/],
  ["people", ["email", "email", "property.region"], null],
  ["notes", ["email", "title"], /No column holds the text/],
  ["notes", ["content"], /which person or company a note is about/],
  ["companies", ["company"], null],
] as const)("a file of %s with %j", (kind, fields, problem) => {
  const columns = fields.map((to, place) => ({ to, column: place + 1, header: to }));
  const found = mappingProblem(kind, columns as never);
  if (problem === null) expect(found).toBe(null);
  else expect(found).toMatch(problem);
});
