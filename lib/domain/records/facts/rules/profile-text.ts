import { fold } from "#lib/text/fold.ts";
import type { FactVersion } from "../contract.ts";
import { scoringSections, sections } from "./sections.ts";

/** What the text says about a fact. */
export type ProfileFact = Pick<
  FactVersion,
  "id" | "category" | "content" | "source" | "confidence" | "freshness" | "epistemic_class" | "last_observed_at"
>;

/** Our own sections in their order, then the workspace's own categories by name. */
export function inHouseOrder(categories: Iterable<string>): string[] {
  const place = (category: string) => {
    const index = (sections as readonly string[]).indexOf(category);
    return index < 0 ? sections.length : index;
  };
  return [...new Set(categories)].sort((a, b) => place(a) - place(b) || a.localeCompare(b, "en"));
}

/**
 * The profile as an agent reads it: compact text, one bullet per entry, each ending with what supports it. Entries are
 * indented, so that no content can be taken for a heading. `facts` come newest first and keep that order in a section.
 * `asked`: the only sections that were read, in any case; of the others nothing is said.
 */
export function renderProfile(facts: readonly ProfileFact[], asked?: readonly string[]): string {
  const written = new Set(facts.map(({ category }) => fold(category)));
  const missing = (asked ?? scoringSections).filter((section) => !written.has(fold(section)));
  const what = asked ? `GTM PROFILE, ONLY ${asked.join(", ")}` : "GTM PROFILE";
  const lines = [facts.length === 0 && !asked ? `${what}: empty` : `${what}: ${counted(facts.length)}`];
  if (missing.length > 0) lines.push(`Not written yet: ${missing.join(", ")}`);
  const byCategory = Map.groupBy(facts, (fact) => fact.category);
  for (const category of inHouseOrder(byCategory.keys())) {
    lines.push("", category.toUpperCase());
    for (const fact of byCategory.get(category) ?? []) lines.push(...entry(fact));
  }
  return lines.join("\n");
}

const counted = (facts: number) => (facts === 1 ? "1 fact" : `${facts} facts`);

const unsure: Partial<Record<ProfileFact["freshness"], string>> = {
  suspect: "not confirmed for 90 days",
  expired: "not confirmed for 180 days",
};

function entry(fact: ProfileFact): string[] {
  const [first = "", ...rest] = fact.content.trim().split(/\r\n|\r|\n/);
  const grounds = [
    fact.source,
    fact.last_observed_at.slice(0, 10),
    `confidence ${fact.confidence}`,
    fact.epistemic_class === "inferred" ? "inferred" : null,
    unsure[fact.freshness] ?? null,
    fact.id,
  ].filter((part) => part !== null);
  return [`- ${first}`, ...rest.map((line) => (line === "" ? "" : `  ${line}`)), `  [${grounds.join(", ")}]`];
}
