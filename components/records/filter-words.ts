import { dayAs, isDay, isTime, timeAs } from "#components/ui/times.ts";
import { endsOf } from "./filter-values.ts";
import type { Filter, PlaceValue } from "./list-kind.ts";
import { companyWords, sourceWords, wordsOf } from "./names.ts";
import { listTestOf, type PropertyFilter, propertyFilterOf, takesValue, testLabel, testOf } from "./property-test.ts";

/** How many values a chip shows. */
const MOST_SHOWN = 3;

/** `Stage: Interested`, as shown on a chip; `called` is the name of the company or the member the filter means, once it is known. */
export function filterWords(filter: Filter, value: PlaceValue, called?: string): string {
  const { label } = filter;
  switch (filter.kind) {
    case "boolean":
      return `${label}: ${value ? "yes" : "no"}`;
    case "days":
      return isMoment(String(value))
        ? `${filter.timed ?? label} ${momentWords(String(value))}`
        : `${label} ${daysWords(String(value))}`;
    case "range":
      return `${label} ${rangeWords(String(value))}`;
    case "choices":
      return testWords(label, listTestOf(String(value)), (one) => labelOf(filter, one));
    case "values":
      return testWords(label, testOf(String(value)), filter.id === "source" ? sourceWords : String);
    case "company": {
      const test = listTestOf(String(value));
      return testWords(label, test, (_, index) => (index === 0 ? (called ?? "…") : ""));
    }
    case "property": {
      const { name, ...test } = propertyFilterOf(String(value));
      return testWords(filter.id === "company" ? companyWords(name) : wordsOf(name), test, (one) =>
        isMoment(one) ? momentWords(one) : one,
      );
    }
    case "owner": {
      const own = filter.choices?.find((choice) => choice.value === value)?.label;
      return `${label}: ${own ?? called ?? value}`;
    }
    default:
      return `${label}: ${labelOf(filter, String(value))}`;
  }
}

const labelOf = ({ choices }: Filter, value: string): string =>
  choices?.find((choice) => choice.value === value)?.label ?? value;

function testWords(
  label: string,
  { test, values }: Omit<PropertyFilter, "name">,
  wordsFor: (value: string, index: number) => string,
): string {
  const shown = values.slice(0, MOST_SHOWN).map(wordsFor).filter(Boolean);
  const more = values.length - shown.length;
  if (test === "between") return `${label} ${testLabel(test, false)} ${shown.join(" and ")}`;
  const list = more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
  if (test === "is") return `${label}: ${list}`;
  return [label, testLabel(test, values.some(isMoment)), takesValue(test) ? list : ""].join(" ").trim();
}

function rangeWords(range: string): string {
  const { from, to } = endsOf(range);
  if (to === "") return `${from} or more`;
  return from === "" ? `${to} or less` : `${from} to ${to}`;
}

const isMoment = (text: string): boolean => isDay(text) || isTime(text);

/** A time as the reader writes it, the day alone where it is a day. */
const momentWords = (text: string): string =>
  isDay(text)
    ? dayAs("day", text)
    : /T00:00(:00(\.0+)?)?Z$/.test(text)
      ? dayAs("day", text.slice(0, 10))
      : timeAs("minute", new Date(text));

const daysWords = (duration: string): string => {
  const days = Number(duration.replace(/d$/, ""));
  return Number.isFinite(days) ? `${days} ${days === 1 ? "day" : "days"}` : duration;
};
