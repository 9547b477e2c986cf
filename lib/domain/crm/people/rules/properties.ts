import { canonicalJson } from "#lib/core/json.ts";
import type { CustomValue } from "#lib/domain/crm/recording/service.ts";
import { parseTime } from "#lib/text/time.ts";

export type PropertyType = "text" | "number" | "boolean" | "date" | "list";

/** What values are; `text` when they differ. */
export function typeOf(values: readonly CustomValue[]): PropertyType {
  const types = new Set(values.map(typeOfOne));
  const [type] = types;
  return types.size === 1 && type !== undefined ? type : "text";
}

function typeOfOne(value: CustomValue): PropertyType {
  if (Array.isArray(value)) return "list";
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "boolean";
  return parseTime(value) ? "date" : "text";
}

const MOST_SAMPLES = 2;
const LONGEST = 100;
const MOST_ITEMS = 5;

/** The first different values, short enough to be shown. */
export function samplesOf(values: readonly CustomValue[]): CustomValue[] {
  const different = new Map(values.map((value) => [canonicalJson(value), value]));
  return [...different.values()].slice(0, MOST_SAMPLES).map(shortened);
}

function shortened(value: CustomValue): CustomValue {
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map(cut);
  return typeof value === "string" ? cut(value) : value;
}

const cut = (text: string): string => {
  const letters = Array.from(text.slice(0, 2 * LONGEST + 1));
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join("")}…` : text;
};
