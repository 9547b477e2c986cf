import type { Filter } from "#components/records/list-kind.ts";
import { companyWords } from "#components/records/names.ts";
import { stageLabels, stages } from "#components/records/stages.ts";

/** Filters both lists have. */
export const sharedFilters = {
  after: { id: "last_activity_after", label: "Active within", kind: "days" },
  before: { id: "last_activity_before", label: "Quiet for", kind: "days" },
  score: { id: "min_icp_score", upTo: "max_icp_score", label: "ICP score", kind: "range", hint: "From 0 to 100." },
  owner: {
    id: "owner",
    label: "Owner",
    kind: "owner",
    choices: [
      { value: "me", label: "Me" },
      { value: "none", label: "No one" },
    ],
  },
  status: { id: "status", label: "Status", kind: "choice", choices: [{ value: "archived", label: "Archived" }] },
  createdAfter: { id: "created_after", label: "Created within", kind: "days" },
  createdBefore: { id: "created_before", label: "Older than", kind: "days" },
  updatedAfter: { id: "updated_after", label: "Updated within", kind: "days" },
  updatedBefore: { id: "updated_before", label: "Not updated for", kind: "days" },
} as const satisfies Record<string, Filter>;

/** Where the records came from; the values are those there are. */
export const sourceFilter = (subject: "person" | "company"): Filter => ({
  id: "source",
  label: "Source",
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

/** The property of people's companies that a filter begins with. */
const ofCompany = (property: string): Filter => ({
  id: "company",
  label: companyWords(property),
  kind: "property",
  subject: "company",
  property,
});

export const personFilters: readonly Filter[] = [
  {
    id: "pipeline_stage",
    label: "Stage",
    kind: "choices",
    choices: stages.map((stage) => ({ value: stage, label: stageLabels[stage] })),
  },
  {
    id: "title",
    label: "Title",
    kind: "values",
    property: "job_title",
    hint: "By meaning: CFO also finds Chief Financial Officer and Finanzvorstand.",
  },
  { id: "company_id", label: "Company", kind: "company", optional: true },
  ...["industry", "country", "region", "employee_count", "technologies"].map(ofCompany),
  { id: "company", label: "Company property", kind: "property", subject: "company" },
  sharedFilters.owner,
  { id: "not_contacted_for", label: "Not contacted for", kind: "days" },
  sharedFilters.after,
  sharedFilters.before,
  sharedFilters.score,
  { id: "has_email", label: "Has e-mail", kind: "boolean" },
  { id: "has_linkedin", label: "Has LinkedIn", kind: "boolean" },
  { id: "email", label: "E-mail", kind: "text", hint: "The whole address, any the person has or had." },
  { id: "linkedin_url", label: "LinkedIn", kind: "text", hint: "The address of the profile." },
  sourceFilter("person"),
  sharedFilters.status,
  sharedFilters.createdAfter,
  sharedFilters.createdBefore,
  sharedFilters.updatedAfter,
  sharedFilters.updatedBefore,
  propertyFilter("person"),
];
