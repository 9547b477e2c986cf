import type { Filter, PlaceValue } from "./list-kind.ts";
import { wordsOf } from "./names.ts";
import { propertyFilterOf, takesValue, testLabels } from "./property-test.ts";

/** `Stage: Interested`, as shown on a chip; `company` is the name of the company the filter means, once it is known. */
export function filterWords(filter: Filter, value: PlaceValue, company?: string): string {
  if (filter.kind === "boolean") return `${filter.label}: ${value ? "yes" : "no"}`;
  if (filter.kind === "number") return `${filter.label} ${value} or more`;
  if (filter.kind === "days") return `${filter.label} ${daysWords(String(value))}`;
  if (filter.kind === "company") return `${filter.label}: ${company ?? "…"}`;
  if (filter.kind === "property") {
    const { name, test, value: wanted } = propertyFilterOf(String(value));
    if (test === "is") return `${wordsOf(name)}: ${wanted}`;
    return [wordsOf(name), testLabels[test], takesValue(test) ? wanted : ""].join(" ").trim();
  }
  const chosen = filter.choices?.find((choice) => choice.value === value);
  return `${filter.label}: ${chosen?.label ?? String(value)}`;
}

const daysWords = (duration: string): string => {
  const days = Number(duration.replace(/d$/, ""));
  return Number.isFinite(days) ? `${days} ${days === 1 ? "day" : "days"}` : duration;
};
