import type { Filters } from "../contract.ts";
import { eventNamed } from "../events.ts";

/** What filters look at. `properties` holds what is believed of the record. */
export type Happening = {
  type: string;
  at: Date;
  source: string | null;
  /** the stage after the event */
  stage: string | null;
  /** of the event, or of the record */
  lists: readonly string[];
  properties: ReadonlyMap<string, unknown>;
};

/** The list whose filters a trigger has for a record of this type; null: it has none that say anything about the event. */
export function listFor({ people, companies }: Filters, type: string): "people" | "companies" | "none" | null {
  if (people === undefined && companies === undefined) return null;
  if (type === "person" && people !== undefined) return "people";
  return type === "company" && companies !== undefined ? "companies" : "none";
}

export type Rule = { events: readonly string[]; filters: Filters; createdAt: Date };

/** The name under which a trigger asked for an event; null when it did not, or when it happened before the trigger. */
export const askedAs = ({ events, createdAt }: Rule, { type, at }: Pick<Happening, "type" | "at">): string | null =>
  at < createdAt ? null : events.includes(type) ? type : (events.find((name) => eventNamed(name) === type) ?? null);

/** The properties that filters look at. */
export const propertiesIn = ({ property = {}, plan }: Filters): string[] => [
  ...Object.keys(property),
  ...(plan ? ["plan"] : []),
];

const folded = (value: unknown): string => String(value).trim().toLowerCase();

/** Whether a property's value is one of those that are wanted; of a list, any of its values. */
function isOneOf(value: unknown, wanted: unknown): boolean {
  if (value === undefined || value === null) return false;
  const values = (Array.isArray(value) ? value : [value]).map(folded);
  return (Array.isArray(wanted) ? wanted : [wanted]).some((one) => values.includes(folded(one)));
}

/** Whether all conditions hold. Texts are compared without regard to case. */
export function passes({ stage, property = {}, source, list, plan }: Filters, happening: Happening): boolean {
  const { properties } = happening;
  return (
    (!stage || isOneOf(happening.stage, stage)) &&
    (!source || isOneOf(happening.source, source)) &&
    (!list || isOneOf(happening.lists, list)) &&
    (!plan || isOneOf(properties.get("plan"), plan)) &&
    Object.entries(property).every(([name, wanted]) => isOneOf(properties.get(name), wanted))
  );
}
