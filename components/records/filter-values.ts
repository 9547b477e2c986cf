import { fold } from "#lib/text/fold.ts";
import type { Filter, Place, PlaceValue } from "./list-kind.ts";
import { filtersOfItems, itemsOf } from "./property-test.ts";

/** The filters whose names have all words of a text, by label or as the API calls them. */
export function filtersLike(filters: readonly Filter[], text: string): readonly Filter[] {
  const words = fold(text).split(" ");
  return filters.filter(({ label, id }) => {
    const names = fold(`${label} ${id.replaceAll("_", " ")}`);
    return words.every((word) => names.includes(word));
  });
}

/** The ends of a range as one value, each empty where it is open: `50..70`. */
export const rangeOf = (from: string, to: string): string => `${from}..${to}`;
export function endsOf(range: string): { from: string; to: string } {
  const [from = "", to = ""] = range.split("..");
  return { from, to };
}

/** What a filter is set to; there may be several property filters. */
export function valuesIn(filter: Filter, place: Place): PlaceValue[] {
  const value = place[filter.id] ?? null;
  // One that begins with a property leads to the filter by any.
  if (filter.kind === "property") return Array.isArray(value) && !filter.property ? filtersOfItems(value) : [];
  if (filter.upTo === undefined) return value === null ? [] : [value];
  const to = place[filter.upTo] ?? null;
  return value === null && to === null ? [] : [rangeOf(String(value ?? ""), String(to ?? ""))];
}

/** The change of the address that sets a filter, in place of `before` where that is set. Null removes it. */
export function changeOf(
  filter: Filter,
  place: Place,
  before: PlaceValue,
  after: PlaceValue,
): Record<string, PlaceValue> {
  if (filter.kind === "property") {
    const set = place[filter.id];
    const items = Array.isArray(set) ? set : [];
    const given = after === null ? [] : [after].flat().map(String).flatMap(itemsOf);
    const replaced = before === null ? [] : itemsOf(String(before));
    const at = items.findIndex((item) => replaced.includes(item));
    const others = items.filter((item) => !replaced.includes(item) && !given.includes(item));
    const left = at < 0 ? [...others, ...given] : others.toSpliced(Math.min(at, others.length), 0, ...given);
    return { [filter.id]: left.length > 0 ? left : null };
  }
  if (filter.upTo === undefined) return { [filter.id]: after };
  const { from, to } = endsOf(after === null ? "" : String(after));
  return { [filter.id]: from === "" ? null : Number(from), [filter.upTo]: to === "" ? null : Number(to) };
}
