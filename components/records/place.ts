import type { Place, PlaceValue, Query } from "./list-kind.ts";

/** Parts of the address that are not filters. */
const notFilters = new Set(["sort", "cols", "widths", "new", "view", "layout"]);

/** Parts of the state that are `name=value` items, each of which asks for `<part>.<name>`. */
const ofItems = ["property", "company"];

/** Parts of the address that the list operation does not know. */
const notAsked = new Set(["cols", "widths", "new", "view", "layout", ...ofItems]);

export const standardSort = "last_activity_desc";

/** The request for the list's state in the address. */
export function queryOf(place: Place): Query {
  const query: Record<string, string | number | boolean | string[]> = {};
  for (const [name, value] of Object.entries(place)) {
    if (value === null || value === "" || notAsked.has(name)) continue;
    query[name] = value;
  }
  for (const part of ofItems)
    for (const [name, values] of propertiesOf(place[part] ?? null)) query[`${part}.${name}`] = values;
  return query;
}

/** Values of one name are alternatives, different names must all match. */
function propertiesOf(value: PlaceValue): Map<string, string[]> {
  const items = Array.isArray(value) ? value : [];
  const properties = new Map<string, string[]>();
  for (const item of items) {
    const { name, value } = propertyOf(item);
    if (name) properties.set(name, [...(properties.get(name) ?? []), value]);
  }
  return properties;
}

export function propertyOf(item: string): { name: string; value: string } {
  const equals = item.indexOf("=");
  return equals < 0 ? { name: "", value: "" } : { name: item.slice(0, equals), value: item.slice(equals + 1) };
}

const isSet = (value: PlaceValue): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== null && value !== "";

/** True when the list is filtered: then an empty list does not mean an empty workspace. */
export const isFiltered = (place: Place): boolean =>
  Object.entries(place).some(([name, value]) => !notFilters.has(name) && isSet(value));

/** All filters, set to nothing. */
export const withoutFilters = (place: Place): Record<string, null> =>
  Object.fromEntries(Object.keys(place).flatMap((name) => (notFilters.has(name) ? [] : [[name, null]])));
