import { isBookkeeping } from "#lib/domain/records/evidence/words.ts";
import type { LearnedPage } from "./calls.ts";

type Item = Extract<LearnedPage["items"][number], { property: string }>;

/** Properties that the reader sees elsewhere, or that mean nothing to a reader. */
const untold = new Set(["source", "works_at", "first_name", "last_name", "name", "email", "linkedin_url", "domain"]);

/** The newest facts about people and companies: the latest of each, without names and identifiers. */
export function newestFacts(learned: LearnedPage, limit: number): Item[] {
  const seen = new Set<string>();
  const facts: Item[] = [];
  for (const item of learned.items) {
    if (
      !("property" in item) ||
      untold.has(item.property) ||
      item.property.startsWith("note.") ||
      isBookkeeping(item.property)
    )
      continue;
    const key = `${item.entity_id} ${item.property}`;
    if (seen.has(key)) continue;
    seen.add(key);
    facts.push(item);
    if (facts.length === limit) break;
  }
  return facts;
}
