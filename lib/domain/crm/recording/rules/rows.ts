import { fold } from "#lib/text/fold.ts";
import { formatTime, parseTime } from "#lib/text/time.ts";
import { CUSTOM_NAME, type CustomValue, companyFields, isCustomValue, personFields } from "./fields.ts";
import { type Stage, stageOf } from "./stages.ts";

/** What a row is made of: the entity, its active identifiers (latest first) and its current claims. */
export type Ingredients = {
  id: string;
  status: "active" | "archived";
  createdAt: Date;
  identifiers: readonly { kind: string; value: string }[];
  claims: ReadonlyMap<string, unknown>;
};

export type PersonRow = {
  id: string;
  status: "active" | "archived";
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  jobTitle: string | null;
  company: string | null;
  companyId: string | null;
  linkedinUrl: string | null;
  phone: string | null;
  owner: string | null;
  pipelineStage: Stage;
  icpScore: number | null;
  source: string;
  createdAt: Date;
  custom: Record<string, CustomValue>;
  search: string;
  wire: string;
};

export type CompanyRow = {
  id: string;
  status: "active" | "archived";
  domain: string | null;
  name: string | null;
  linkedinUrl: string | null;
  industry: string | null;
  employeeCount: number | null;
  country: string | null;
  owner: string | null;
  icpScore: number | null;
  source: string;
  createdAt: Date;
  custom: Record<string, CustomValue>;
  search: string;
};

/** The row of the people list that follows from what is known. `employer` is the linked company as far as it is named. */
export function personRow(
  ingredients: Ingredients,
  employer: { id: string; name: string | null; domain: string | null } | null,
): PersonRow {
  const text = (property: string) => textOf(ingredients.claims.get(property));
  const row = {
    id: ingredients.id,
    status: ingredients.status,
    email: identifierOf(ingredients, "email"),
    firstName: text("first_name"),
    lastName: text("last_name"),
    jobTitle: text("job_title"),
    company: text("company") ?? employer?.name ?? employer?.domain ?? null,
    companyId: employer?.id ?? null,
    linkedinUrl: identifierOf(ingredients, "linkedin_url"),
    phone: text("phone"),
    owner: text("owner"),
    pipelineStage: stageOf(ingredients.claims.get("pipeline_stage")),
    icpScore: integerOf(ingredients.claims.get("icp_score")),
    source: text("source") ?? "api",
    createdAt: ingredients.createdAt,
    custom: customOf(ingredients.claims, personFields),
  };
  return completePerson(row);
}

/** The row with what follows from its other columns. */
function completePerson(row: Omit<PersonRow, "search" | "wire">): PersonRow {
  const search = [row.email, [row.firstName, row.lastName].join(" "), row.company]
    .map((part) => fold(part ?? ""))
    .join("\n");
  return { ...row, search, wire: wireOf(row) };
}

export function companyRow(ingredients: Ingredients): CompanyRow {
  const text = (property: string) => textOf(ingredients.claims.get(property));
  const row = {
    id: ingredients.id,
    status: ingredients.status,
    domain: identifierOf(ingredients, "domain"),
    name: text("name"),
    linkedinUrl: identifierOf(ingredients, "linkedin_url"),
    industry: text("industry"),
    employeeCount: integerOf(ingredients.claims.get("employee_count")),
    country: text("country"),
    owner: text("owner"),
    icpScore: integerOf(ingredients.claims.get("icp_score")),
    source: text("source") ?? "api",
    createdAt: ingredients.createdAt,
    custom: customOf(ingredients.claims, companyFields),
  };
  return completeCompany(row);
}

const completeCompany = (row: Omit<CompanyRow, "search">): CompanyRow => ({
  ...row,
  search: [row.name, row.domain].map((part) => fold(part ?? "")).join("\n"),
});

/** Letters of the columns that lists are sorted by; an index holds no long texts. */
const MOST_SORTED = 100;

/**
 * What the database makes of `search` for the lists to be sorted by (`sort_name`, `sort_company`), of a row as the API has
 * it.
 */
export function sortKeys(row: Json): { name: string | null; company: string | null } {
  const text = (...names: string[]) => fold(names.map((name) => row[name]).join(" "));
  const key = (...texts: string[]) =>
    Array.from(texts.find((each) => each !== "") ?? "")
      .slice(0, MOST_SORTED)
      .join("") || null;
  return {
    name: key(text("first_name", "last_name"), text("email"), text("name"), text("domain")),
    company: key(text("company")),
  };
}

type Json = Readonly<Record<string, unknown>>;

/** A row as an export has it: the columns as JSON, without those that follow from them. */
export const personOfJson = (json: Json): PersonRow =>
  completePerson({
    ...(sharedOfJson(json) as Pick<PersonRow, "id" | "status" | "source" | "owner" | "custom">),
    createdAt: new Date(json.created_at as string),
    email: json.email as string | null,
    firstName: json.first_name as string | null,
    lastName: json.last_name as string | null,
    jobTitle: json.job_title as string | null,
    company: json.company as string | null,
    companyId: json.company_id as string | null,
    linkedinUrl: json.linkedin_url as string | null,
    phone: json.phone as string | null,
    pipelineStage: json.pipeline_stage as Stage,
    icpScore: json.icp_score as number | null,
  });

export const companyOfJson = (json: Json): CompanyRow =>
  completeCompany({
    ...(sharedOfJson(json) as Pick<CompanyRow, "id" | "status" | "source" | "owner" | "custom">),
    createdAt: new Date(json.created_at as string),
    domain: json.domain as string | null,
    name: json.name as string | null,
    linkedinUrl: json.linkedin_url as string | null,
    industry: json.industry as string | null,
    employeeCount: json.employee_count as number | null,
    country: json.country as string | null,
    icpScore: json.icp_score as number | null,
  });

/** Keys of an object are sorted as `customOf` sorts them: a database sorts them by length. */
function sharedOfJson({ id, status, source, owner, custom }: Json) {
  const entries = Object.entries(custom as object).sort(([a], [b]) => (a < b ? -1 : 1));
  return { id, status, source, owner: owner || null, custom: Object.fromEntries(entries) };
}

/** The row's JSON without its closing brace and without owner, stage, score and last activity, which are added when it is read. */
function wireOf(row: Omit<PersonRow, "search" | "wire">): string {
  const wire = JSON.stringify({
    id: row.id,
    entity_id: row.id,
    email: row.email,
    first_name: row.firstName,
    last_name: row.lastName,
    job_title: row.jobTitle,
    company: row.company,
    company_id: row.companyId,
    linkedin_url: row.linkedinUrl,
    phone: row.phone,
    source: row.source,
    status: row.status,
    created_at: formatTime(row.createdAt),
    properties: row.custom,
  });
  return wire.slice(0, -1);
}

const identifierOf = (ingredients: Ingredients, kind: string): string | null =>
  ingredients.identifiers.find((identifier) => identifier.kind === kind)?.value ?? null;

const textOf = (value: unknown): string | null =>
  typeof value === "string" && value.trim() !== ""
    ? value
    : typeof value === "number" || typeof value === "boolean"
      ? String(value)
      : null;

const integerOf = (value: unknown): number | null =>
  typeof value === "number" && Math.abs(value) < 2 ** 31 ? Math.round(value) : null;

function customOf(claims: ReadonlyMap<string, unknown>, fields: readonly string[]): Record<string, CustomValue> {
  const entries = [...claims].filter(
    ([property, value]) => CUSTOM_NAME.test(property) && !fields.includes(property) && isCustomValue(value),
  );
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))) as Record<string, CustomValue>;
}

/** A value of a record as property filters look for it. */
export type PropertyValue = {
  entityId: string;
  subject: "person" | "company";
  property: string;
  folded: string;
  number: number | null;
  time: Date | null;
};

/** From here on a value is not looked in. */
const MOST_FOLDED = 2_001;

/** Each item between line breaks, so that a whole one can be told from a part. */
const foldedItems = (items: readonly string[]): string =>
  `\n${items.map((item) => `${fold(item)}\n`).join("")}`.slice(0, MOST_FOLDED).replace(/[\uD800-\uDBFF]$/, "");

/** The values of a person's row that property filters find in `property_values`. */
export const valuesOfPerson = (row: PersonRow): PropertyValue[] =>
  valuesOf("person", row, {
    first_name: row.firstName,
    last_name: row.lastName,
    job_title: row.jobTitle,
    linkedin_url: row.linkedinUrl,
    phone: row.phone,
  });

/** The same of a company's row. */
export const valuesOfCompany = (row: CompanyRow): PropertyValue[] =>
  valuesOf("company", row, {
    linkedin_url: row.linkedinUrl,
    industry: row.industry,
    employee_count: row.employeeCount,
    country: row.country,
  });

function valuesOf(
  subject: PropertyValue["subject"],
  { id: entityId, custom }: PersonRow | CompanyRow,
  standard: Readonly<Record<string, string | number | null>>,
): PropertyValue[] {
  const ofFields = Object.entries(standard).flatMap(([property, value]): PropertyValue[] => {
    if (value === null) return [];
    const number = typeof value === "number" ? value : null;
    return [{ entityId, subject, property, folded: foldedItems([String(value)]), number, time: null }];
  });
  const own = Object.entries(custom).flatMap(([property, value]): PropertyValue[] => {
    if (Object.hasOwn(standard, property)) return [];
    const text = typeof value === "string" ? value : null;
    const number = typeof value === "number" ? value : text === null ? null : numberIn(text);
    const time = text === null ? null : parseTime(text);
    return [{ entityId, subject, property, folded: foldedItems(itemsOf(value)), number, time }];
  });
  return [...ofFields, ...own];
}

const itemsOf = (value: CustomValue): string[] => (Array.isArray(value) ? value : [String(value)]);

/** The number that text is, written as JSON writes one; null for anything else, such as a postcode `01234`. */
export const numberIn = (text: string): number | null =>
  /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/.test(text) ? Number(text) : null;
