import type { Place, PlaceValue, Query } from "./list-kind.ts";

/** Parts of the address that are not filters. */
const notFilters = new Set(["sort", "cols", "widths", "new", "view", "layout"]);

/** Parts of the address that the list operation does not know. */
const notAsked = new Set(["cols", "widths", "new", "view", "layout", "property"]);

export const standardSort = "last_activity_desc";

/** The request for the list's state in the address. */
export function queryOf(place: Place): Query {
  const query: Record<string, string | number | boolean | string[]> = {};
  for (const [name, value] of Object.entries(place)) {
    if (value === null || value === "" || notAsked.has(name)) continue;
    query[name] = value;
  }
  for (const [name, values] of propertiesOf(place)) query[`property.${name}`] = values;
  return query;
}

const PROPERTY = "property.";

/** The request as the filters of an export, which has property filters as an object. */
export function filtersOf(
  query: Query,
): Record<string, string | number | boolean | string[] | Record<string, string[]>> {
  const own = Object.entries(query).filter(([name]) => !name.startsWith(PROPERTY));
  const properties = Object.entries(query).flatMap(([name, value]): [string, string[]][] =>
    name.startsWith(PROPERTY) ? [[name.slice(PROPERTY.length), [value].flat().map(String)]] : [],
  );
  return {
    ...Object.fromEntries(own),
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
  };
}

/** `property` holds `name=value` items: values of one name are alternatives, different names must all match. */
function propertiesOf(place: Place): Map<string, string[]> {
  const items = Array.isArray(place.property) ? place.property : [];
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
