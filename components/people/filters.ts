import type { Filter } from "#components/records/list-kind.ts";
import { companyWords } from "#components/records/names.ts";
import { stageLabels, stages } from "#components/records/stages.ts";

/** Filters both lists have. */
export const sharedFilters = {
  after: { id: "last_activity_after", label: "Active within", kind: "days", timed: "Active since" },
  before: { id: "last_activity_before", label: "Quiet for", kind: "days", timed: "Quiet since", names: "inactive" },
  score: {
    id: "min_icp_score",
    upTo: "max_icp_score",
    label: "ICP score",
    kind: "range",
    names: "fit tier",
    hint: "From 0 to 100.",
  },
  owner: {
    id: "owner",
    label: "Owner",
    names: "mine assigned rep seller",
    kind: "owner",
    choices: [
      { value: "me", label: "Me" },
      { value: "none", label: "No one" },
    ],
  },
  status: { id: "status", label: "Status", kind: "choice", choices: [{ value: "archived", label: "Archived" }] },
  createdAfter: {
    id: "created_after",
    label: "Created within",
    kind: "days",
    timed: "Created since",
    names: "new added",
  },
  createdBefore: { id: "created_before", label: "Older than", kind: "days", timed: "Created before" },
  updatedAfter: {
    id: "updated_after",
    label: "Updated within",
    kind: "days",
    timed: "Updated since",
    names: "changed",
  },
  updatedBefore: {
    id: "updated_before",
    label: "Not updated for",
    kind: "days",
    timed: "Not updated since",
    names: "unchanged stale",
  },
} as const satisfies Record<string, Filter>;

/** Where the records came from; the values are those there are. */
export const sourceFilter = (subject: "person" | "company"): Filter => ({
  id: "source",
  label: "Source",
  names: "origin imported from",
  kind: "values",
  subject,
});

/** Any field or custom property, with the tests the API has. */
export const propertyFilter = (subject: "person" | "company"): Filter => ({
  id: "property",
  label: "Property",
  kind: "property",
  subject,
});

const namesOfCompany: Readonly<Record<string, string>> = {
  industry: "sector vertical",
  country: "location",
  region: "location territory",
  employee_count: "size headcount employees",
  technologies: "tech stack tools",
};

/** The property of people's companies that a filter begins with. */
const ofCompany = (property: string): Filter => ({
  id: "company",
  label: companyWords(property),
  names: namesOfCompany[property] ?? "",
  kind: "property",
  subject: "company",
  property,
});

export const personFilters: readonly Filter[] = [
  {
    id: "pipeline_stage",
    label: "Stage",
    names: "status funnel",
    kind: "choices",
    counted: "people",
    choices: stages.map((stage) => ({ value: stage, label: stageLabels[stage] })),
  },
  {
    id: "title",
    label: "Title",
    names: "job title role position function",
    kind: "values",
    property: "job_title",
    hint: "By meaning: CFO also finds Chief Financial Officer and Finanzvorstand.",
  },
  { id: "company_id", label: "Company", names: "account employer works at", kind: "company", optional: true },
  ...["industry", "country", "region", "employee_count", "technologies"].map(ofCompany),
  { id: "company", label: "Company property", kind: "property", subject: "company" },
  sharedFilters.owner,
  {
    id: "known_by",
    label: "Who knows them",
    names: "known contact of relationship mail",
    kind: "owner",
    choices: [{ value: "me", label: "Me" }],
  },
  { id: "not_contacted_for", label: "Not contacted for", kind: "days", names: "last contacted touched" },
  sharedFilters.after,
  sharedFilters.before,
  sharedFilters.score,
  { id: "has_email", label: "Has e-mail", kind: "boolean" },
  { id: "has_linkedin", label: "Has LinkedIn", kind: "boolean" },
  {
    id: "email",
    label: "E-mail",
    names: "address mail",
    kind: "text",
    hint: "The whole address, any the person has or had.",
  },
  { id: "linkedin_url", label: "LinkedIn", kind: "text", hint: "The address of the profile." },
  sourceFilter("person"),
  sharedFilters.status,
  sharedFilters.createdAfter,
  sharedFilters.createdBefore,
  sharedFilters.updatedAfter,
  sharedFilters.updatedBefore,
  propertyFilter("person"),
];
