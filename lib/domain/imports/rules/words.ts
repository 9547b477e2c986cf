export const states = [
  "uploading",
  "reading",
  "ready",
  "checking",
  "running",
  "done",
  "cancelled",
  "failed",
  "undoing",
  "undone",
] as const;

export const outcomes = ["created", "updated", "unchanged", "skipped"] as const;

export const MOST_FILE_BYTES = 200 * 1024 * 1024;
export const MOST_ROWS = 1_000_000;
export const MOST_COLUMNS = 1_000;
/** Characters of one cell: what a note may have. */
export const MOST_CELL = 2_000_000;

/** What a column of a file of people can be. */
const peopleFields = [
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
  "country",
  "phone",
  "stage",
  "observed_at",
] as const;

/** What a column of a file of companies can be. */
const companiesFields = [
  "company_domain",
  "company_linkedin_url",
  "company",
  "industry",
  "employees",
  "country",
  "observed_at",
] as const;

/** What a column of a file of notes can be: whose it is, then what it says. */
const notesFields = ["email", "linkedin_url", "company_domain", "content", "title", "date", "type"] as const;

export const allFields = [...new Set([...peopleFields, ...companiesFields, ...notesFields])] as unknown as readonly [
  Field,
  ...Field[],
];

export type Field = (typeof peopleFields)[number] | (typeof companiesFields)[number] | (typeof notesFields)[number];

/** A column that becomes a custom property. */
export const PROPERTY_TARGET = /^property\.[a-z][a-z0-9_]{0,62}$/;

export const fieldsOf = { people: peopleFields, companies: companiesFields, notes: notesFields } as const;
