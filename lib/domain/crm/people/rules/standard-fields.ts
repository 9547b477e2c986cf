export type Subject = "person" | "company";

/**
 * How a property filter finds a field: in `property_values`, in a line of the row's folded text, or in a column of the
 * row.
 */
type FieldStorage =
  | { in: "values" }
  | { in: "line"; line: number; of: number; column: string }
  | { in: "column"; column: string };

export type FieldType = "text" | "number" | "date";
/** `choices`: a closed list, lowest first; `open`: few different values, which are looked up first. */
export type StandardField = { name: string; type: FieldType; kept: FieldStorage; list?: "stages" | "sources" };

const values = (name: string, type: FieldType = "text"): StandardField => ({ name, type, kept: { in: "values" } });
const line = (name: string, place: number, of: number): StandardField => ({
  name,
  type: "text",
  kept: { in: "line", line: place, of, column: name },
});
const column = (name: string, type: FieldType, more: Pick<StandardField, "list"> = {}): StandardField => ({
  name,
  type,
  kept: { in: "column", column: name },
  ...more,
});

const ofBoth = [
  column("source", "text", { list: "sources" }),
  column("icp_score", "number"),
  column("last_activity_at", "date"),
  column("created_at", "date"),
  column("updated_at", "date"),
];

/** The fields that a filter `property.<name>` may name beside custom properties, in the order people are told of them. */
export const standardFields: Readonly<Record<Subject, readonly StandardField[]>> = {
  person: [
    line("email", 0, 3),
    values("first_name"),
    values("last_name"),
    values("job_title"),
    line("company", 2, 3),
    values("linkedin_url"),
    values("phone"),
    column("pipeline_stage", "text", { list: "stages" }),
    ...ofBoth,
  ],
  company: [
    line("name", 0, 2),
    line("domain", 1, 2),
    values("linkedin_url"),
    values("industry"),
    values("employee_count", "number"),
    values("country"),
    column("people_count", "number"),
    ...ofBoth,
  ],
};

export const standardField = (subject: Subject, name: string): StandardField | null =>
  standardFields[subject].find((field) => field.name === name) ?? null;

/** Names that are parameters of the lists, not properties, and what to use for each. */
export const notProperties: Readonly<Record<string, string>> = {
  id: "GET /v2/people/:focus or /v2/companies/:focus",
  entity_id: "GET /v2/people/:focus or /v2/companies/:focus",
  company_id: "the parameter company_id",
  works_at: "the parameter company_id",
  status: "the parameter status",
  owner: "the parameter owner",
};

/** The same for the companies of listed people. */
export const notOfCompanies: Readonly<Record<string, string>> = {
  id: "the parameter company_id",
  entity_id: "the parameter company_id",
  company_id: "the parameter company_id",
  status: "the list of companies",
  owner: "the list of companies",
};
