/** What a column of a CSV file of each kind can be, in the order in which they are offered: identifiers, then values. */
export const importFields = {
  people: [
    "email",
    "linkedin_url",
    "first_name",
    "last_name",
    "name",
    "job_title",
    "company",
    "company_domain",
    "company_linkedin_url",
    "industry",
    "employees",
    "company_country",
    "country",
    "phone",
    "stage",
    "owner",
    "observed_at",
  ],
  companies: [
    "company_domain",
    "company_linkedin_url",
    "company",
    "industry",
    "employees",
    "country",
    "owner",
    "observed_at",
  ],
  notes: ["email", "linkedin_url", "company_domain", "content", "title", "date", "type", "note_id"],
} as const;

export type ImportField = (typeof importFields)[keyof typeof importFields][number];

/** Fields of which one column is enough: a second one does not fill their gaps. */
export const singleFields: readonly string[] = ["stage", "content", "note_id", "observed_at"];

/** How the cells of a column are read; what does not fit stays text. */
export const readings = [
  "text",
  "number",
  "number_comma",
  "date",
  "date_day_first",
  "date_month_first",
  "date_serial",
  "boolean",
] as const;
export type Reading = (typeof readings)[number];

/** `Deal size (€)` as `deal_size`; null when nothing of it can be the name of a property. */
export function propertyName(text: string): string | null {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss");
  const name = plain
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replace(/^[_0-9]+/, "")
    .slice(0, 63)
    .replace(/_+$/, "");
  return name === "" ? null : name;
}
