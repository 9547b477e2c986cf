import type { EntryVersion } from "#lib/domain/records/facts/contract.ts";
import { worthRevisiting } from "#lib/domain/records/facts/words.ts";
import { guideOf, scoringSectionNames, sectionNames } from "./sections.ts";

/** One section or category of the tab with its current entries. */
export type Group = {
  category: string;
  /** Unique on the page: the anchor, and the name in the address. */
  slug: string;
  facts: readonly EntryVersion[];
};

/**
 * Every section, filled or not, then the workspace's own categories by name. `extra`: new categories without an entry
 * yet.
 */
export function groupFacts(facts: readonly EntryVersion[], extra: Iterable<string> = []): Group[] {
  const byCategory = Map.groupBy(facts, (fact) => fact.category);
  const standard: readonly string[] = sectionNames;
  const own = [...new Set([...byCategory.keys(), ...extra])]
    .filter((category) => !standard.includes(category))
    .sort((a, b) => a.localeCompare(b, "en"));
  const taken = new Set<string>();
  return [...standard, ...own].map((category) => ({
    category,
    slug: uniqueSlug(category, taken),
    facts: byCategory.get(category) ?? [],
  }));
}

function uniqueSlug(category: string, taken: Set<string>): string {
  const plain = slugOf(category);
  let slug = plain;
  for (let count = 2; taken.has(slug); count++) slug = `${plain}-${count}`;
  taken.add(slug);
  return slug;
}

/** `GTM Motion` is `gtm-motion`. */
export const slugOf = (category: string): string =>
  category
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "") || "category";

/** The group an address names, by slug or by name; `icp`, `ICP`, `gtm-motion` and `GTM Motion` all do. */
export const groupNamed = (groups: readonly Group[], name: string): Group | undefined =>
  groups.find((group) => group.slug === slugOf(name)) ?? groups.find((group) => group.category === name);

export type Completeness = { filled: number; of: number; missing: string[] };

/** How much of the input for the ICP score has been written. */
export function completeness(facts: readonly Pick<EntryVersion, "category">[]): Completeness {
  const written = new Set(facts.map((fact) => fact.category));
  const missing = scoringSectionNames.filter((section) => !written.has(section));
  return { filled: scoringSectionNames.length - missing.length, of: scoringSectionNames.length, missing };
}

export type SectionState = "missing" | "empty" | "revisit" | "complete";

/** How far a section is. Missing: empty, and the ICP score needs it. */
export function stateOf({ category, facts }: Pick<Group, "category" | "facts">): SectionState {
  if (facts.length === 0) return guideOf(category)?.scores ? "missing" : "empty";
  return facts.some((fact) => worthRevisiting(fact) !== null) ? "revisit" : "complete";
}
