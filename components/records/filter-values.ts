import { fold } from "#lib/text/fold.ts";
import type { Choice, Filter, Place, PlaceValue } from "./list-kind.ts";
import { filtersOfItems, itemsOf } from "./property-test.ts";

/** The filters whose names have all words of a text: by label, by what else they may be called, or as the API calls them. */
export function filtersLike(filters: readonly Filter[], text: string): readonly Filter[] {
  const words = fold(text).split(" ");
  const has = (text: string) => words.every((word) => fold(text).includes(word));
  const byLabel = filters.filter(({ label }) => has(label));
  return [
    ...byLabel,
    ...filters.filter(
      (filter) =>
        !byLabel.includes(filter) && has(`${filter.label} ${filter.id.replaceAll("_", " ")} ${filter.names ?? ""}`),
    ),
  ];
}

/** Values of closed lists that a text names, each with its filter: typing "client" is enough for the stage. */
export function choicesLike(filters: readonly Filter[], text: string): { filter: Filter; choice: Choice }[] {
  const wanted = fold(text);
  if (wanted.length < 2) return [];
  return filters.flatMap((filter) =>
    filter.kind === "choices" || filter.kind === "choice"
      ? (filter.choices ?? [])
          .filter(({ label }) => fold(label).startsWith(wanted))
          .map((choice) => ({ filter, choice }))
      : [],
  );
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
    const values = after === null ? [] : [after].flat().map(String).flatMap(itemsOf);
    const replaced = before === null ? [] : itemsOf(String(before));
    const at = items.findIndex((item) => replaced.includes(item));
    const others = items.filter((item) => !replaced.includes(item) && !values.includes(item));
    const left = at < 0 ? [...others, ...values] : others.toSpliced(Math.min(at, others.length), 0, ...values);
    return { [filter.id]: left.length > 0 ? left : null };
  }
  if (filter.upTo === undefined) return { [filter.id]: after };
  const { from, to } = endsOf(after === null ? "" : String(after));
  return { [filter.id]: from === "" ? null : Number(from), [filter.upTo]: to === "" ? null : Number(to) };
}
