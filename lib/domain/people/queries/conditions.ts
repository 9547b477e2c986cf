import type { SearchPatterns } from "../rules/search.ts";
import type { PeopleCondition as Condition } from "./lists.ts";

const is = (text: string, ...values: unknown[]): Condition => ({ text, values });
const indexed = (index: Condition["index"], { text, values }: Condition): Condition => ({
  text,
  values,
  ...(index && { index }),
});

/** The best plan depends on how rare the value is. */
const ofValue = (condition: Condition): Condition => ({ ...condition, rare: true });
const ofTime = (condition: Condition): Condition => ({ ...condition, rare: true, probe: condition.text });

/** Conditions of the two lists; the indexes they rely on are described at people and companies. */
export const where = {
  status: (status: string) => indexed("all", is("p.status = ?::entity_status", status)),
  /**
   * Found by the rare pieces, when there are any; the whole text is then not an index condition (people_search_idx).
   */
  search: ({ whole, rare: piece }: SearchPatterns) =>
    ofValue(
      piece === null ? is("p.search LIKE ?", whole) : is("p.search LIKE ? AND (p.search || '') LIKE ?", piece, whole),
    ),
  source: (source: string) => indexed("begins", is("p.source = ?", source)),
  activeSince: (time: Date) => indexed("range", is("p.last_activity_at >= ?", time)),
  notActiveSince: (time: Date) => indexed("range", is("(p.last_activity_at < ? OR p.last_activity_at IS NULL)", time)),
  createdAfter: (time: Date) => ofTime(is("p.created_at >= ?", time)),
  createdBefore: (time: Date) => ofTime(is("p.created_at < ?", time)),
  /** people_updated_idx, companies_updated_idx */
  updatedAfter: (time: Date) => ofTime(is("p.updated_at >= ?", time)),
  /** Nothing is created or active later than it is updated, so that lists by those can begin where these begin. */
  updatedBefore: (time: Date) =>
    ofTime(
      is(
        "p.updated_at < ? AND p.created_at < ? AND (p.last_activity_at < ? OR p.last_activity_at IS NULL)",
        time,
        time,
        time,
      ),
    ),
  scoreAtLeast: (score: number) => is("p.icp_score >= ?", score),
  stage: (stage: string) => indexed("begins", is("p.pipeline_stage = ?::pipeline_stage", stage)),
  hasEmail: (has: boolean) => indexed("all", is(`p.email IS ${has ? "NOT NULL" : "NULL"}`)),
  hasLinkedin: (has: boolean) => indexed("all", is(`p.linkedin_url IS ${has ? "NOT NULL" : "NULL"}`)),
  /** people_owner_activity_idx, companies_owner_activity_idx; an empty text: nobody */
  owner: (email: string) => indexed("begins", is("p.owner = ?", email)),
  company: (id: string) => indexed("begins", is("p.company_id = ?", id)),
  /** leads_person_key, and leads_entity_idx for a person at hand */
  inList: (id: string): Condition => ({
    text: "p.id IN (SELECT l.entity_id FROM leads l WHERE l.workspace_id = $workspace AND l.list_id = ? AND NOT l.hidden)",
    values: [id],
    rare: true,
    probe:
      "EXISTS (SELECT FROM leads l WHERE l.workspace_id = $workspace AND l.list_id = ? AND l.entity_id = p.id AND NOT l.hidden)",
  }),
  /** who has this active identifier (identifiers_active_key) */
  named: (kind: string, value: string) =>
    is(
      "p.id IN (SELECT i.entity_id FROM identifiers i WHERE i.workspace_id = $workspace AND i.kind = ? AND i.value = ? AND i.retired_at IS NULL)",
      kind,
      value,
    ),
} as const;
