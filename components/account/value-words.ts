import { sourceWords, wordsOf } from "#components/records/names.ts";
import { isStage, stageLabels } from "#components/records/stages.ts";
import { numberAs } from "#components/ui/numbers.ts";
import { dayAs, isDay } from "#components/ui/times.ts";
import type { Account } from "./calls.ts";
import { countryName } from "./countries.ts";

/** A value as one line for the reader. `works_at` holds the id of a company, which has a name. */
export function valueWords(property: string, value: unknown, related?: Account["relationships"]): string {
  if (value === null || value === undefined) return "Ended";
  if (property === "pipeline_stage" && isStage(value)) return stageLabels[value];
  if (property === "source" && typeof value === "string") return sourceWords(value);
  if (property === "country" && typeof value === "string") return countryName(value);
  if (property === "works_at") return employerName(value, related);
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "number") return numberAs("exact", value);
  if (typeof value === "string") return isDay(value) ? dayAs("day", value) : value;
  if (Array.isArray(value)) return value.map((item) => valueWords("", item)).join(", ");
  return Object.entries(value)
    .map(([name, item]) => `${wordsOf(name)}: ${valueWords("", item)}`)
    .join(" · ");
}

function employerName(value: unknown, related: Account["relationships"] | undefined): string {
  const id = typeof value === "string" ? value : ((value as Record<string, unknown>).entity_id ?? "");
  return related?.works_at.find(({ entity_id }) => entity_id === id)?.name ?? String(id);
}

/** The most useful first. */
const order = ["first_name", "last_name", "name", "job_title", "company", "works_at", "pipeline_stage", "icp_score"];

export const factOrder = (a: string, b: string): number => rank(a) - rank(b) || a.localeCompare(b);

const rank = (property: string): number => {
  const place = order.indexOf(property);
  return place < 0 ? order.length : place;
};
