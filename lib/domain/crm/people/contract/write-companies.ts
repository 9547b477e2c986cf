import { z } from "zod";
import { defineOperation, LARGE_BODY_LIMIT } from "#lib/core/operation.ts";
import { Company, exampleCompany } from "./company.ts";
import {
  CustomInput,
  clearable,
  createdOrNot,
  endsSomething,
  exampleWritten,
  leavesOthers,
  managed,
  Outcomes,
  oneAfterAnother,
  Patched,
  rowsOf,
  written,
} from "./writing.ts";

const companyInput = {
  domain: z.string().max(300).nullable().optional().describe("Identifier; a URL is accepted."),
  linkedin_url: z.string().max(300).nullable().optional().describe("Identifier; a /company/ address."),
  name: clearable(300).describe("What the company is called."),
  industry: clearable(200).describe("Industry."),
  employee_count: z.int().min(0).nullable().optional().describe("How many people work there."),
  country: clearable(100).describe("Country."),
  ...managed,
};

const companyErrors = [
  "identifier_required",
  "identifier_conflict",
  "invalid_domain",
  "invalid_linkedin_url",
  "invalid_property",
] as const;

export const upsertCompany = defineOperation({
  name: "upsertCompany",
  tag: "Companies",
  summary: "Create or update a company by any identifier",
  description: `201 when the company is new, 200 when an identifier named one that exists. ${leavesOthers}`,
  surface: "public",
  scope: "write",
  asksPerson: endsSomething,
  http: { method: "POST", path: "/v2/companies", status: createdOrNot },
  input: z.object(companyInput).catchall(CustomInput).meta({ id: "CompanyInput" }),
  output: z.strictObject({ company: Company, created: z.boolean(), ...written }),
  errors: companyErrors,
  example: {
    input: { domain: "acme.com", name: "Acme" },
    output: { company: exampleCompany, created: true, ...exampleWritten("name", "Acme") },
  },
});

export const upsertCompanies = defineOperation({
  name: "upsertCompanies",
  tag: "Companies",
  summary: "Create or update up to 1,000 companies",
  description: oneAfterAnother,
  surface: "public",
  scope: "write",
  asksPerson: ({ companies }) => companies.some(endsSomething),
  http: { method: "POST", path: "/v2/companies/bulk", body: { limit: LARGE_BODY_LIMIT } },
  input: z.strictObject({ companies: rowsOf("companies", "CompanyInput") }),
  output: Outcomes,
  codes: { fields: { companies: "invalid_parameter" } },
  example: {
    input: { companies: [{ domain: "acme.com", name: "Acme" }] },
    output: {
      results: [{ index: 0, status: "created", entity_id: exampleCompany.id }],
      created: 1,
      updated: 0,
      failed: 0,
    },
  },
});

export const patchCompany = defineOperation({
  name: "patchCompany",
  tag: "Companies",
  summary: "Change a company",
  description: `${leavesOthers} Each value is recorded as evidence, so nothing is lost.`,
  surface: "public",
  scope: "write",
  asksPerson: endsSomething,
  http: { method: "PATCH", path: "/v2/companies/:focus" },
  input: z.object({ focus: Patched, ...companyInput }).catchall(CustomInput),
  output: z.strictObject({ company: Company, ...written }),
  errors: ["invalid_focus", "entity_not_found", ...companyErrors],
  codes: { fields: { focus: "invalid_focus" } },
  example: {
    input: { focus: "acme.com", industry: "Fintech" },
    output: { company: exampleCompany, ...exampleWritten("name", "Acme") },
  },
});

export const reservedForCompanies: readonly string[] = [
  "name",
  "industry",
  "employee_count",
  "country",
  "icp_score",
  "source",
  "domain",
  "linkedin_url",
  "status",
  "id",
  "entity_id",
  "people_count",
  "created_at",
  "updated_at",
  "last_activity_at",
  "focus",
  "properties",
  "email",
];
