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
    "country",
    "phone",
    "stage",
    "observed_at",
  ],
  companies: ["company_domain", "company_linkedin_url", "company", "industry", "employees", "country", "observed_at"],
  notes: ["email", "linkedin_url", "company_domain", "content", "title", "date", "type"],
} as const;

export type ImportField = (typeof importFields)[keyof typeof importFields][number];
