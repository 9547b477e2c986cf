import { z } from "zod";
import { anyOf, anyOrNone, anyText } from "#lib/core/any-of.ts";
import { defineOperation, pageSize } from "#lib/core/operation.ts";
import { counted, counting, offsetPage as page, offsetPaging as paging } from "#lib/core/page-input.ts";
import { Days as Duration, describedAs, Id, Time, Timestamp } from "#lib/core/schema.ts";
import { Believed, claimsWritten } from "#lib/domain/evidence/contract.ts";
import { CUSTOM_NAME, personFields, stages } from "./rules/fields.ts";

export const Stage = z
  .enum(stages)
  .meta({ id: "Stage", description: "How far a person is, from first heard of to client." });
export type Stage = z.output<typeof Stage>;
const Status = z
  .enum(["active", "archived"])
  .meta({ id: "RecordStatus", description: "`archived` records are left out of lists, and keep everything." });
const Custom = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
  .meta({ id: "CustomProperties", description: "Custom properties by name." });

const text = (about: string) => z.string().nullable().describe(about);
const OWNER = "E-mail address of the member who owns the record. It stays when they leave the workspace.";

const UPDATED =
  "When anything was last recorded about it, or its row last changed: values, confirmations, activities, addresses, status, merges, the name of its company. For a company also its people's activity and number.";

export const Person = z
  .strictObject({
    id: Id.describe("Entity id; accepted wherever a focus is taken."),
    entity_id: Id.describe("The same as id."),
    email: text("The latest active e-mail address."),
    first_name: text("Given name."),
    last_name: text("Family name."),
    job_title: text("Job title."),
    company: text("Company name as stated, else the linked company's name or domain."),
    company_id: Id.nullable().describe("The linked company."),
    linkedin_url: text("Canonical LinkedIn URL."),
    phone: text("E.164."),
    source: z.string().describe("Where the record came from."),
    status: Status,
    created_at: Timestamp,
    properties: Custom,
    owner: text(OWNER),
    pipeline_stage: Stage,
    icp_score: z.number().nullable().describe("0 to 100."),
    last_activity_at: Timestamp.nullable(),
    updated_at: Timestamp.describe(UPDATED),
  })
  .meta({ id: "Person", description: "A person as the lists have them." });
export type Person = z.output<typeof Person>;

export const examplePerson: Person = {
  id: "0190a6e0-0000-7000-8000-000000000010",
  entity_id: "0190a6e0-0000-7000-8000-000000000010",
  email: "anna@acme.com",
  first_name: "Anna",
  last_name: "Smith",
  job_title: "Head of Sales",
  company: "Acme",
  company_id: "0190a6e0-0000-7000-8000-000000000011",
  linkedin_url: "https://www.linkedin.com/in/anna-smith",
  phone: "+4930123456",
  source: "api",
  status: "active",
  created_at: "2026-06-03T09:00:00.000Z",
  properties: { region: "DACH" },
  owner: "ada@acme.example",
  pipeline_stage: "interested",
  icp_score: 82,
  last_activity_at: "2026-06-10T14:30:00.000Z",
  updated_at: "2026-06-10T14:30:00.210Z",
};

export const companySorts = [
  "last_activity_desc",
  "last_activity_asc",
  "icp_score_desc",
  "icp_score_asc",
  "created_desc",
  "created_asc",
  "name_asc",
  "name_desc",
] as const;

const OwnedBy = z
  .string()
  .trim()
  .min(1)
  .max(320)
  .optional()
  .describe(
    "Only records of this member: e-mail address or id, `me` (for a key the member who made it), or `none`: those without an owner.",
  );
export const personSorts = [...companySorts, "company_asc", "company_desc", "stage_desc", "stage_asc"] as const;
export type PersonSort = (typeof personSorts)[number];

const Score = z.int().min(0).max(100).optional();
const scores = {
  min_icp_score: Score.describe("Only those with this ICP score or a higher one."),
  max_icp_score: Score.describe("Only those with this ICP score or a lower one; those without a score are left out."),
};
const first = "last_activity_desc";
const Source = anyText(128)
  .optional()
  .describe(
    "Exact source of the record; `in:api,crm` for one of several, `not:api` for any other, `eq:` before odd texts.",
  );

const propertyFilters = z
  .record(z.string().regex(CUSTOM_NAME, "is not a property name"), z.array(z.string().max(500)))
  .optional()
  .describe(
    "By a field or custom property: `property[title]=x` or `property.title=x`; case and accents do not matter. Or `gte:`, `lte:` (numbers, dates), `contains:`, `in:a,b`, `not:a,b`, `exists:true|false`; `eq:` before odd texts. Equal values of one name are alternatives; all else must hold.",
  );

/** A moment, or so many days ago. */
const Since = z
  .union([Duration, Time], { error: "must be a number of days such as 7d, or an ISO 8601 time such as 2026-06-03" })
  .optional();

const times = {
  created_after: Since.describe("Created at this time or later: an ISO 8601 time, a date, or days ago such as 7d."),
  created_before: Since.describe("Created before this time; an ISO 8601 time, a date, or days ago such as 7d."),
  updated_after: Since.describe(
    "Updated (`updated_at`) at this time or later: an ISO 8601 time, a date, or days ago such as 7d.",
  ),
  updated_before: Since.describe(
    "Not updated (`updated_at`) since this time: an ISO 8601 time, a date, or days ago such as 7d.",
  ),
};

export const listPeople = defineOperation({
  name: "listPeople",
  tag: "People",
  summary: "List people",
  description:
    "Filtered and paged. `desc` sorts put people without a value last and `asc` is the exact reverse; the id breaks ties.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/people", propertyFilter: "property" },
  input: z.strictObject({
    search: z
      .string()
      .max(200)
      .optional()
      .describe("Part of an e-mail, first name, last name or company; case and accents do not matter."),
    pipeline_stage: anyOf(z.enum(stages), { what: `one of ${stages.join(", ")}`, allowed: stages })
      .optional()
      .describe("The stage, or several: `aware,interested` is one of these, `not:client` any other."),
    source: Source,
    status: Status.default("active"),
    has_email: z.boolean().optional().describe("Only people with, or without, an e-mail address."),
    has_linkedin: z.boolean().optional().describe("Only people with, or without, a LinkedIn URL."),
    last_activity_before: Duration.optional().describe("Last active longer ago than this, or never: 2d, 7d, 30d."),
    last_activity_after: Duration.optional().describe("Active within this time."),
    ...times,
    email: z.string().max(254).optional().describe("Exactly this e-mail address (any of the person's)."),
    linkedin_url: z.string().max(300).optional().describe("Exactly this LinkedIn profile."),
    ...scores,
    company_id: anyOrNone(Id, { what: "the id of a company" })
      .optional()
      .describe(
        "Only people linked to this company, or to one of several; `not:` none of these, `exists:false` no company.",
      ),
    owner: OwnedBy,
    list_id: Id.optional().describe("Only people who are leads of this lead list; needs the plan scale."),
    sort: z
      .enum(personSorts)
      .default(first)
      .describe("What comes first. By stage, those of a stage are by last activity."),
    properties: propertyFilters,
    ...counting,
    ...paging,
  }),
  output: z.strictObject({ people: z.array(Person), ...page, ...counted }),
  errors: ["feature_not_in_plan"],
  example: {
    input: { pipeline_stage: "interested", limit: 100 },
    output: { people: [examplePerson], limit: 100, offset: 0, has_more: false, next_cursor: null },
  },
});

const Subject = z.enum(["person", "company"]).meta({ id: "Subject", description: "Who has a property." });

const Property = z
  .strictObject({
    name: z.string().describe("As in `property.<name>`."),
    subject: Subject,
    standard: z.boolean().describe("A field of every record; false for a custom property."),
    type: z
      .enum(["text", "number", "boolean", "date", "list"])
      .describe("Of a custom property: what its values are; `text` when they differ."),
    records: z.int().describe("How many records have a value; see `capped`."),
    capped: z
      .boolean()
      .describe(
        "True when there are more than `records`: of a standard field the newest 10,000 records are looked at, of a custom property 10,000 values.",
      ),
    samples: z
      .array(z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
      .describe("Up to two different values; long texts are cut."),
  })
  .meta({ id: "Property", description: "A property that people or companies have and can be filtered by." });
export type Property = z.output<typeof Property>;

export const listProperties = defineOperation({
  name: "listProperties",
  tag: "People",
  summary: "List the properties that people and companies have",
  description:
    "Standard fields first, then custom properties by name, at most 200 of people and 200 of companies. Each can be used as `property.<name>` in the lists of people and companies.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/properties" },
  input: z.strictObject({ subject: Subject.optional().describe("Only those of people, or of companies.") }),
  output: z.strictObject({ properties: z.array(Property) }),
  tool: {
    name: "list_properties",
    description: "Which properties people and companies have here, standard and custom, with types and sample values.",
    parameters: ["subject"],
  },
  example: {
    input: { subject: "person" },
    output: {
      properties: [
        {
          name: "job_title",
          subject: "person",
          standard: true,
          type: "text",
          records: 1840,
          capped: false,
          samples: ["CEO", "VP Sales"],
        },
        {
          name: "region",
          subject: "person",
          standard: false,
          type: "text",
          records: 312,
          capped: false,
          samples: ["DACH", "EMEA"],
        },
      ],
    },
  },
});

export const listPropertyValues = defineOperation({
  name: "listPropertyValues",
  tag: "People",
  summary: "List the values that a property has",
  description:
    "The most frequent first, to filter by: `property.<name>=eq:<value>` finds them. At most 10,000 values are looked at, of fields such as `company` and `source` those of the newest active records. Fields that are times have none.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/properties/:name/values" },
  input: z.strictObject({
    name: z.string().regex(CUSTOM_NAME, "is not a property name").describe("The field or custom property."),
    subject: Subject.default("person").describe("Whose property it is."),
    search: z.string().max(200).optional().describe("Only values that contain this; case and accents do not matter."),
    limit: pageSize(20, 100),
  }),
  output: z.strictObject({
    values: z.array(
      z
        .strictObject({
          value: z.union([z.string(), z.number(), z.boolean()]).describe("As one of the records has it."),
          records: z.int().describe("How many of the records that were looked at have it; see `capped`."),
        })
        .meta({ id: "PropertyValue", description: "A value of a property, of a list one of its items." }),
    ),
    capped: z.boolean().describe("True when there are more records than were looked at."),
  }),
  example: {
    input: { name: "region", subject: "person" },
    output: {
      values: [
        { value: "DACH", records: 212 },
        { value: "EMEA", records: 100 },
      ],
      capped: false,
    },
  },
});

const Patched = z.string().describe("Entity id, e-mail, LinkedIn URL or domain of the record to change.");
const clearable = (max: number) => z.string().trim().min(1).max(max).nullable().optional();
const OwnerInput = clearable(320).describe(
  "The member who owns the record: e-mail address, id, full name, or `me`: the caller, for a key the member who made it.",
);
const CustomInput = z.union([
  z.string().max(2000),
  z.number(),
  z.boolean(),
  z.null(),
  z.array(z.string().max(500)).max(100),
]);

const personInput = {
  email: z.string().max(300).nullable().optional().describe("Identifier. null retires the addresses the person has."),
  linkedin_url: z.string().max(300).nullable().optional().describe("Identifier. null retires it."),
  first_name: clearable(200).describe("Given name."),
  last_name: clearable(200).describe("Family name."),
  job_title: clearable(300).describe("Job title."),
  company: clearable(300).describe("Company name; a business e-mail links the company by itself."),
  phone: z.string().max(50).nullable().optional().describe("E.164, or a number with its country code."),
  pipeline_stage: Stage.optional().describe("Moves the stage either way; later signals may still advance it."),
  owner: OwnerInput,
  status: Status.optional(),
  source: z.string().trim().min(1).max(128).optional().describe("Where the values come from; default `api`."),
};

const written = {
  claims_written: z.int().describe("How many observations were new."),
  ...claimsWritten,
};
const Written = z.strictObject({ person: Person, created: z.boolean(), ...written });
const exampleWritten = (property: string, value: string) => ({
  claims_written: 1,
  claims_recomputed: [property],
  claims: [{ property, value, changed: true }],
});

const writeErrors = [
  "identifier_required",
  "identifier_conflict",
  "invalid_email",
  "invalid_linkedin_url",
  "invalid_phone",
  "invalid_property",
] as const;

export const upsertPerson = defineOperation({
  name: "upsertPerson",
  tag: "People",
  summary: "Create or update a person by any identifier",
  description:
    "201 when the person is new, 200 when an identifier named one that exists. Fields not given stay; null ends a value. Any other snake_case key is a custom property.",
  surface: "public",
  scope: "write",
  http: { method: "POST", path: "/v2/people", created: (output) => output.created },
  input: z.object(personInput).catchall(CustomInput).meta({ id: "PersonInput" }),
  output: Written,
  errors: writeErrors,
  example: {
    input: { email: "anna@acme.com", first_name: "Anna", job_title: "Head of Sales", region: "DACH" },
    output: { person: examplePerson, created: true, ...exampleWritten("job_title", "Head of Sales") },
  },
});

export const patchPerson = defineOperation({
  name: "patchPerson",
  tag: "People",
  summary: "Change a person",
  description:
    "Fields not given stay; null ends a value. Any other snake_case key is a custom property. Each value is recorded as evidence, so nothing is lost: what a person writes in the app is `asserted`, what a key writes `observed`.",
  surface: "public",
  scope: "write",
  http: { method: "PATCH", path: "/v2/people/:focus" },
  input: z.object({ focus: Patched, ...personInput }).catchall(CustomInput),
  output: z.strictObject({ person: Person, ...written }),
  errors: ["invalid_focus", "entity_not_found", ...writeErrors],
  codes: { fields: { focus: "invalid_focus" } },
  example: {
    input: { focus: "anna@acme.com", pipeline_stage: "evaluating" },
    output: {
      person: { ...examplePerson, pipeline_stage: "evaluating" },
      ...exampleWritten("pipeline_stage", "evaluating"),
    },
  },
});

const MOST_ROWS = 1000;

const rowsOf = (what: string, id: string) =>
  z
    .array(describedAs(id))
    .min(1)
    .max(MOST_ROWS)
    .describe(`1 to ${MOST_ROWS} rows, each as the body of \`POST /v2/${what}\`.`);

const Outcomes = z
  .strictObject({
    results: z
      .array(
        z
          .strictObject({
            index: z.int(),
            status: z.enum(["created", "updated", "failed"]),
            entity_id: Id.nullable(),
            claims: z.array(Believed).optional().describe("For each value of the row: what is believed now."),
            error: z.string().optional(),
            message: z.string().optional(),
          })
          .meta({
            id: "BulkRow",
            description: "What happened with one row; `error` and `message` when it was refused.",
          }),
      )
      .describe("One per row, in the order given."),
    created: z.int(),
    updated: z.int(),
    failed: z.int(),
  })
  .meta({ id: "BulkOutcome" });

const oneAfterAnother =
  "Rows count as taken one after another; a row that is refused says why and does not stop the others.";

export const upsertPeople = defineOperation({
  name: "upsertPeople",
  tag: "People",
  summary: "Create or update up to 1,000 people",
  description: oneAfterAnother,
  surface: "public",
  scope: "write",
  http: { method: "POST", path: "/v2/people/bulk", bodyLimit: 8 * 1024 * 1024 },
  input: z.strictObject({ people: rowsOf("people", "PersonInput") }),
  output: Outcomes,
  codes: { fields: { people: "invalid_parameter" } },
  example: {
    input: { people: [{ email: "anna@acme.com" }, { first_name: "Bob" }] },
    output: {
      results: [
        { index: 0, status: "created", entity_id: examplePerson.id },
        {
          index: 1,
          status: "failed",
          entity_id: null,
          error: "identifier_required",
          message: "Give at least one identifier: email or linkedin_url.",
        },
      ],
      created: 1,
      updated: 0,
      failed: 1,
    },
  },
});

/** Names a caller cannot use for a custom property of a person. */
export const reservedForPeople: readonly string[] = [
  ...personFields,
  "email",
  "linkedin_url",
  "status",
  "id",
  "entity_id",
  "company_id",
  "created_at",
  "updated_at",
  "last_activity_at",
  "focus",
  "properties",
  "name",
];

export const Company = z
  .strictObject({
    id: Id,
    entity_id: Id,
    domain: text("The company's domain."),
    name: text("Name."),
    linkedin_url: text("Canonical LinkedIn URL."),
    industry: text("Industry."),
    employee_count: z.int().nullable(),
    country: text("Country."),
    owner: text(OWNER),
    people_count: z.int().describe("Active people linked to the company."),
    icp_score: z.number().nullable(),
    last_activity_at: Timestamp.nullable().describe("Latest activity of the company or its people."),
    source: z.string(),
    status: Status,
    created_at: Timestamp,
    updated_at: Timestamp.describe(UPDATED),
    properties: Custom,
  })
  .meta({ id: "Company", description: "A company as the lists have it." });
export type Company = z.output<typeof Company>;

export const exampleCompany: Company = {
  id: "0190a6e0-0000-7000-8000-000000000011",
  entity_id: "0190a6e0-0000-7000-8000-000000000011",
  domain: "acme.com",
  name: "Acme",
  linkedin_url: null,
  industry: "Fintech",
  employee_count: 120,
  country: "DE",
  owner: null,
  people_count: 3,
  icp_score: null,
  last_activity_at: null,
  source: "api",
  status: "active",
  created_at: "2026-06-03T09:00:00.000Z",
  updated_at: "2026-06-10T14:30:00.210Z",
  properties: {},
};

export const listCompanies = defineOperation({
  name: "listCompanies",
  tag: "Companies",
  summary: "List companies",
  description:
    "Filtered and paged. `desc` sorts put companies without a value last and `asc` is the exact reverse; the id breaks ties.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/companies", propertyFilter: "property" },
  input: z.strictObject({
    search: z.string().max(200).optional().describe("Part of the name or domain."),
    source: Source,
    status: Status.default("active"),
    domain: z.string().max(300).optional().describe("Exactly this domain."),
    owner: OwnedBy,
    ...scores,
    last_activity_before: Duration.optional().describe("Last active longer ago than this, or never: 2d, 7d, 30d."),
    last_activity_after: Duration.optional().describe("Active within this time."),
    ...times,
    sort: z.enum(companySorts).default(first).describe("What comes first."),
    properties: propertyFilters,
    ...counting,
    ...paging,
  }),
  output: z.strictObject({ companies: z.array(Company), ...page, ...counted }),
  example: {
    input: { search: "acme" },
    output: { companies: [exampleCompany], limit: 100, offset: 0, has_more: false, next_cursor: null },
  },
});

const companyInput = {
  domain: z.string().max(300).nullable().optional().describe("Identifier; a URL is accepted."),
  linkedin_url: z.string().max(300).nullable().optional().describe("Identifier; a /company/ address."),
  name: clearable(300).describe("What the company is called."),
  industry: clearable(200).describe("Industry."),
  employee_count: z.int().min(0).nullable().optional().describe("How many people work there."),
  country: clearable(100).describe("Country."),
  owner: OwnerInput,
  status: Status.optional(),
  source: z.string().trim().min(1).max(128).optional().describe("Where the values come from; default `api`."),
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
  description:
    "201 when the company is new, 200 when an identifier named one that exists. Fields not given stay; null ends a value. Any other snake_case key is a custom property.",
  surface: "public",
  scope: "write",
  http: { method: "POST", path: "/v2/companies", created: (output) => output.created },
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
  http: { method: "POST", path: "/v2/companies/bulk", bodyLimit: 8 * 1024 * 1024 },
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
  description:
    "Fields not given stay; null ends a value. Any other snake_case key is a custom property. Each value is recorded as evidence, so nothing is lost.",
  surface: "public",
  scope: "write",
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
