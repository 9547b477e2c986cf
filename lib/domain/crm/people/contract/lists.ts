import { z } from "zod";
import { anyOf, anyOrNone, anyText } from "#lib/core/any-of.ts";
import { filtersOf } from "#lib/core/list-filters.ts";
import { defineOperation } from "#lib/core/operation.ts";
import { counted, counting, offsetPage as page, offsetPaging as paging } from "#lib/core/page-input.ts";
import { Days as Duration, Id, namedFilters, Time } from "#lib/core/schema.ts";
import { CUSTOM_NAME, stages } from "#lib/domain/crm/recording/contract.ts";
import { companySorts, personSorts } from "../words.ts";
import { Company, exampleCompany } from "./company.ts";
import { Status } from "./fields.ts";
import { examplePerson, Person } from "./person.ts";

const OwnedBy = z
  .string()
  .trim()
  .min(1)
  .max(320)
  .optional()
  .describe(
    "E-mail address or id of the owner, `me` or `none`. `me` is for a key the member who made it, `none` finds those without an owner.",
  );
const KnownBy = z
  .string()
  .trim()
  .min(1)
  .max(320)
  .optional()
  .describe(
    "Contacts of a member by mail: their e-mail address or id, or `me`. Mail that is not shared counts for its member only.",
  );
export type PersonSort = (typeof personSorts)[number];

const Score = z.int().min(0).max(100).optional();

const scores = {
  min_icp_score: Score.describe("This ICP score or a higher one."),
  max_icp_score: Score.describe("Only those with this ICP score or a lower one; those without a score are left out."),
};
const first = "last_activity_desc";

const Source = anyText(128)
  .optional()
  .describe(
    "Exact source of the record; `in:api,crm` for one of several, `not:api` for any other, `eq:` before odd texts.",
  );

/** What a field must be: one text, or several. */
const Tests = z
  .union([z.string().max(500), z.number(), z.boolean(), z.array(z.string().max(500))])
  .transform((tests) => [tests].flat().map(String));

const byName = (prefix: string, example: string) =>
  z
    .record(z.string().regex(CUSTOM_NAME, "is not a property name"), Tests, {
      error: ({ input }) =>
        typeof input === "object" ? undefined : `names a field after a dot, as in ${prefix}.${example}`,
    })
    .optional();

const propertyFilters = namedFilters(
  "property",
  byName("property", "seniority=vp").describe(
    "By a field or custom property. `property[region]=x` or `property.region=x`; case and accents do not matter. Or `gte:`, `lte:` (numbers, dates, days ago), `contains:`, `in:a,b`, `not:a,b`, `exists:true|false`; `eq:` before odd texts. Equal values of one name are alternatives; all else must hold.",
  ),
);

const companyFilters = namedFilters(
  "company",
  byName("company", "industry=fintech").describe(
    "By the company's industry, country, region, size, technologies or any property. As `property`: `company.industry=fintech`, `company.size=gte:50`, `company.technologies=contains:stripe`. A country may be its name or code; `company.region` is a region such as Europe, DACH, EMEA.",
  ),
);

/** A moment, or so many days ago. */
const Since = z
  .union([Duration, Time], { error: "must be a number of days such as 7d, or an ISO 8601 time such as 2026-06-03" })
  .optional();

const times = {
  last_activity_before: Since.describe(
    "Last active before this time, or never: an ISO 8601 time, a date, or days ago such as 7d.",
  ),
  last_activity_after: Since.describe(
    "Active at this time or later: an ISO 8601 time, a date, or days ago such as 7d.",
  ),
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
  http: { method: "GET", path: "/v2/people" },
  input: z.strictObject({
    search: z
      .string()
      .max(200)
      .optional()
      .describe("Part of an e-mail, name or company. Case and accents do not matter."),
    pipeline_stage: anyOf(z.enum(stages), { what: `one of ${stages.join(", ")}`, allowed: stages })
      .optional()
      .describe("The stage: `aware,interested`, `not:client`. Several are alternatives, `not:` means any other."),
    source: Source,
    status: Status.default("active"),
    title: anyText(200)
      .optional()
      .describe(
        "A job title by its meaning. `CFO` finds Chief Financial Officer and Finanzvorstand, `VP Sales` Vice President of Sales; `in:CFO,CTO` one of several, `not:CFO` any other.",
      ),
    not_contacted_for: Duration.optional().describe(
      "Not contacted for so long: 30d. No e-mail or LinkedIn message was sent, no call or meeting held, no meeting is arranged. What only they did (replies, opens, visits) does not count.",
    ),
    has_email: z.boolean().optional().describe("Only people with, or without, an e-mail address."),
    has_linkedin: z.boolean().optional().describe("Only people with, or without, a LinkedIn URL."),
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
    known_by: KnownBy,
    list_id: Id.optional().describe("Only leads of this lead list. It needs the plan scale."),
    sort: z
      .enum(personSorts)
      .default(first)
      .describe("What comes first. By stage, those of a stage are by last activity."),
    properties: propertyFilters,
    company: companyFilters,
    ...counting,
    ...paging,
  }),
  output: z.strictObject({ people: z.array(Person), ...page, ...counted }),
  tool: {
    name: "find_people",
    description: "People by filters that must all hold, and a count.",
    parameters: [
      ...["search", "title", "company", "properties", "pipeline_stage", "owner", "list_id", "min_icp_score"],
      ...["not_contacted_for", "cursor"],
    ],
    always: { include: "count", limit: 25 },
  },
  feature: { list_id: "lead_lists" },
  errors: ["feature_not_in_plan", "lead_list_not_found"],
  example: {
    input: { pipeline_stage: "interested", limit: 100 },
    output: { people: [examplePerson], limit: 100, offset: 0, has_more: false, next_cursor: null },
  },
});

export const listCompanies = defineOperation({
  name: "listCompanies",
  tag: "Companies",
  summary: "List companies",
  description:
    "Filtered and paged. `desc` sorts put companies without a value last and `asc` is the exact reverse; the id breaks ties.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/companies" },
  input: z.strictObject({
    search: z.string().max(200).optional().describe("Part of the name or domain."),
    source: Source,
    status: Status.default("active"),
    domain: z.string().max(300).optional().describe("Exactly this domain."),
    owner: OwnedBy,
    ...scores,
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

export const PeopleFilters = filtersOf(listPeople, "PeopleFilters");
export const CompanyFilters = filtersOf(listCompanies, "CompanyFilters");
