import type { PlaceValue } from "./list-kind.ts";

/** A column is never narrower than this share of its table, in the unit of `Column.weight`. */
export const LEAST = 4;
const MOST = 200;

/** The widths that the address has, as `<column>:<weight>` each; what is no width is left out. */
export function widthsIn(value: PlaceValue | undefined): ReadonlyMap<string, number> {
  const items = Array.isArray(value) ? value : [];
  return new Map(
    items.flatMap((item): [string, number][] => {
      const colon = item.lastIndexOf(":");
      const weight = Number(item.slice(colon + 1));
      return colon > 0 && weight >= LEAST && weight <= MOST ? [[item.slice(0, colon), weight]] : [];
    }),
  );
}

/** The same for the address; null when there are none. */
export const widthsText = (widths: ReadonlyMap<string, number>): string[] | null =>
  widths.size === 0 ? null : [...widths].map(([id, weight]) => `${id}:${Math.round(weight * 10) / 10}`);

/** What two neighbours have when the line between them moves: together they keep their width. */
export function moved(left: number, right: number, by: number): [number, number] {
  const within = Math.max(LEAST - left, Math.min(right - LEAST, by));
  return [left + within, right - within];
}

/** The ids with one of them moved to where another is. */
export function reordered(ids: readonly string[], id: string, to: number): string[] {
  const rest = ids.filter((other) => other !== id);
  const place = Math.max(0, Math.min(rest.length, to));
  return [...rest.slice(0, place), id, ...rest.slice(place)];
}
