import { sourceWords, wordsOf } from "#components/records/names.ts";
import { isStage, stageLabels } from "#components/records/stages.ts";
import { propertyNumber } from "#components/ui/numbers.ts";
import { dayAs, isDay, isTime } from "#components/ui/times.ts";
import { formatMinute } from "#lib/text/time.ts";
import type { Account } from "./calls.ts";
import { countryName } from "./countries.ts";

type Employer = { entity_id: string; name: string };

/**
 * A value as one line for the reader. `works_at` holds the id of a company, which has a name. Times are in UTC:
 * `LocalTimes` shows them in the reader's zone.
 */
export function valueWords(property: string, value: unknown, employers?: readonly Employer[]): string {
  if (value === null || value === undefined) return "Ended";
  if (property === "pipeline_stage" && isStage(value)) return stageLabels[value];
  if (property === "source" && typeof value === "string") return sourceWords(value);
  if (property === "country" && typeof value === "string") return countryName(value);
  if (property === "works_at") return employerName(value, employers);
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "number") return propertyNumber(property, value);
  if (typeof value === "string") return textWords(value);
  if (Array.isArray(value)) return value.map((item) => valueWords(property, item)).join(", ");
  return Object.entries(value)
    .map(([name, item]) => `${wordsOf(name)}: ${valueWords(name, item)}`)
    .join(" · ");
}

function textWords(text: string): string {
  if (isTime(text)) return formatMinute(new Date(text));
  return isDay(text) ? dayAs("day", text) : text;
}

function employerName(value: unknown, employers: readonly Employer[] | undefined): string {
  const id = typeof value === "string" ? value : ((value as Record<string, unknown>).entity_id ?? "");
  return employers?.find(({ entity_id }) => entity_id === id)?.name ?? String(id);
}

/** The companies that a record's evidence calls its employer: the present one and those that disagree. */
export const employersOf = ({ relationships, claims }: Pick<Account, "relationships" | "claims">): Employer[] => [
  ...relationships.works_at,
  ...(claims.works_at?.conflicts ?? []).flatMap(({ value, name }) =>
    typeof value === "string" && name !== undefined ? [{ entity_id: value, name }] : [],
  ),
];

/** The same of names by id. */
export const employersIn = (names: Readonly<Record<string, string>> = {}): Employer[] =>
  Object.entries(names).map(([entity_id, name]) => ({ entity_id, name }));

/** The most useful first. */
const order = ["first_name", "last_name", "name", "job_title", "company", "works_at", "pipeline_stage", "icp_score"];

export const factOrder = (a: string, b: string): number => rank(a) - rank(b) || a.localeCompare(b);

/** What only systems read. */
export const isForMachines = (property: string): boolean => /(^|_)(id|ids|uuid|urn|hash)$/.test(property);

const rank = (property: string): number => {
  if (isForMachines(property)) return order.length + 1;
  const place = order.indexOf(property);
  return place < 0 ? order.length : place;
};
