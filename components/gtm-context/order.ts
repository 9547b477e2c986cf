import type { EntryVersion } from "#lib/domain/records/facts/contract.ts";
import { worthRevisiting } from "#lib/domain/records/facts/words.ts";

type Entry = Pick<EntryVersion, "id" | "supersedes" | "freshness" | "epistemic_class">;

/** Entry id to its place on the page, in ascending order. */
export type Places = ReadonlyMap<string, number>;

/**
 * When the page opens, what is worth revisiting comes first. After that nothing moves: an entry has the place of the one
 * it replaced, and new ones come first.
 */
export function nextPlaces(entries: readonly Entry[], previous: Places | null): Places {
  if (previous === null) {
    const due = entries.filter((entry) => worthRevisiting(entry) !== null);
    const rest = entries.filter((entry) => worthRevisiting(entry) === null);
    return new Map([...due, ...rest].map(({ id }, place) => [id, place]));
  }
  const places = new Map(previous);
  let first = Math.min(0, ...previous.values());
  for (const { id, supersedes } of [...entries].reverse()) {
    if (places.has(id)) continue;
    places.set(id, (supersedes === null ? undefined : previous.get(supersedes)) ?? --first);
  }
  return places;
}

/** The entries in the order of their places. */
export const inOrder = <E extends Entry>(entries: readonly E[], places: Places): E[] =>
  entries.toSorted((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
