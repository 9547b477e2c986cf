import { fold } from "#lib/text/fold.ts";
import { parseTime } from "#lib/text/time.ts";
import type { CustomValue } from "./fields.ts";
import type { CompanyRow, PersonRow } from "./rows.ts";

type Kind = "person" | "company";

/** A value of a record as property filters look for it. */
export type PropertyValue = {
  entityId: string;
  subject: Kind;
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
  subject: Kind,
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
    const time = text === null ? null : timeIn(text);
    return [{ entityId, subject, property, folded: foldedItems(itemsOf(value)), number, time }];
  });
  return [...ofFields, ...own];
}

const itemsOf = (value: CustomValue): string[] => (Array.isArray(value) ? value : [String(value)]);

/** The number that text is, written as JSON writes one; null for anything else, such as a postcode `01234`. */
export const numberIn = (text: string): number | null =>
  /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/.test(text) ? Number(text) : null;

/** The moment that text is; null for anything else. */
export const timeIn = (text: string): Date | null => parseTime(text);
