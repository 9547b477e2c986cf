import type { Company, Person } from "#lib/domain/crm/people/contract.ts";
import { own } from "#lib/text/own.ts";

/** What a person is called: the name, else an identifier. */
export const personName = (person: Pick<Person, "first_name" | "last_name" | "email" | "linkedin_url">): string =>
  [person.first_name, person.last_name].filter(Boolean).join(" ") ||
  person.email ||
  shortLinkedin(person.linkedin_url) ||
  "Unnamed person";

/** What a company is called: the name, else an identifier. */
export const companyName = (company: Pick<Company, "name" | "domain" | "linkedin_url">): string =>
  company.name || company.domain || shortLinkedin(company.linkedin_url) || "Unnamed company";

/** `linkedin.com/in/anna-smith` of the canonical address. */
export const shortLinkedin = (url: string | null): string | null =>
  url === null ? null : url.replace(/^https?:\/\/(www\.)?/, "").replace(/\/$/, "");

const acronyms = new Set(["crm", "icp", "url", "sso", "id", "api", "eur", "usd", "gbp", "roi", "mrr", "arr", "vp"]);
const spellings: Readonly<Record<string, string>> = { email: "e-mail", linkedin: "LinkedIn" };

/** `budget_eur` as `Budget EUR`. */
export function wordsOf(name: string): string {
  const words = name.split(/[._\s-]+/).filter(Boolean);
  const text = words.map((word) => own(spellings, word) ?? (acronyms.has(word) ? word.toUpperCase() : word)).join(" ");
  return own(propertyWords, name) ?? text.charAt(0).toUpperCase() + text.slice(1);
}

/** A property of a person's company: `Company industry`. */
export const companyWords = (name: string): string => `Company ${inSentence(wordsOf(name))}`;

/** A label within a sentence: "stage", and still "ICP score". */
export const inSentence = (label: string): string =>
  /^[A-Z][a-z-]/.test(label) && !label.startsWith("LinkedIn") ? label.charAt(0).toLowerCase() + label.slice(1) : label;

const propertyWords: Readonly<Record<string, string>> = {
  icp_score: "ICP score",
  linkedin_url: "LinkedIn",
  works_at: "Employer",
  pipeline_stage: "Stage",
  email: "E-mail",
  employee_count: "Employees",
  job_title: "Title",
};

/** Where a record or value came from, in words. */
export const sourceWords = (source: string): string => own(sources, source) ?? wordsOf(source);

/** How we know a value, in a word. */
export const methodWords = {
  asserted: "Reported",
  observed: "Observed",
  inferred: "Inferred",
} as const;

const sources: Readonly<Record<string, string>> = {
  api: "API",
  mcp: "MCP",
  cli: "Command line",
  manual: "Written in the app",
  csv_import: "CSV import",
  cal_com: "Cal.com",
  fathom: "Fathom",
  crm: "CRM",
  linkedin: "LinkedIn",
};
