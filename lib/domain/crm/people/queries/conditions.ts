import type { AnyOf } from "#lib/core/any-of.ts";
import type { Stage } from "#lib/domain/crm/recording/contract.ts";
import { propertyOfActivity } from "#lib/domain/records/evidence/contract.ts";
import { notRetired } from "#lib/domain/records/evidence/service.ts";
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
const ofRow = (condition: Condition): Condition => ({ ...condition, rare: true, probe: condition });

/** So many values that the list by last activity begins with are walked side by side. */
const MOST_ARMS = 8;

/**
 * One of several values that the list by last activity may begin with: one is a walk, a few are walks side by side, many are
 * a filter. Other sorts have no index that begins with it.
 */
function oneOf(column: string, cast: string, values: readonly string[], byActivity: boolean): Condition {
  const [only] = values;
  if (only !== undefined && values.length === 1) {
    const one = is(`p.${column} = ?::${cast}`, only);
    return byActivity ? indexed("begins", one) : ofRow(one);
  }
  const all = ofRow(is(`p.${column} = ANY(?::text[]::${cast}[])`, values));
  return byActivity && values.length > 1 && values.length <= MOST_ARMS ? merged(all, column, cast, values) : all;
}

/** As walks side by side, in the list by last activity. */
const merged = (all: Condition, column: string, cast: string, values: readonly string[]): Condition => ({
  ...all,
  arms: {
    one: indexed("begins", is(`p.${column} = arm.value`)),
    of: is(`unnest(?::text[]::${cast}[])`, values),
    many: values.length,
  },
});

/** What one's own side did or both did together; a meeting that was arranged counts from then until long after it was held. */
const contacts = (["email_sent", "linkedin_message", "call", "meeting_scheduled", "meeting_held"] as const).map(
  propertyOfActivity,
);

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
  /** people_source_activity_idx */
  sources: (sources: readonly string[], byActivity: boolean) => oneOf("source", "text", sources, byActivity),
  activeSince: (time: Date) => indexed("range", is("p.last_activity_at >= ?", time)),
  notActiveSince: (time: Date) => indexed("range", is("(p.last_activity_at < ? OR p.last_activity_at IS NULL)", time)),
  /**
   * Not contacted since: observations_timeline_idx, for each person by themselves. To read all who were contacted takes longer than
   * to look the people of a page, or of a count, up. What was recorded about a record that was merged into them counts.
   */
  notContactedSince: (time: Date): Condition => {
    const contact = `o.workspace_id = $workspace AND o.kind = 'event' AND o.observed_at >= ? AND o.property = ANY(?::text[])`;
    const theirs = `FROM (SELECT * FROM entities e WHERE e.workspace_id = $workspace AND e.id = p.id OFFSET 0) AS e
       CROSS JOIN unnest(array_prepend(e.id, e.absorbed)) AS part(id)
       CROSS JOIN LATERAL (SELECT * FROM observations o WHERE ${contact} AND o.entity_id = part.id OFFSET 0) AS o WHERE ${notRetired("o.id")}`;
    return { ...ofRow(is(`NOT EXISTS (SELECT ${theirs})`, time, contacts)), slow: true };
  },
  createdAfter: (time: Date) => ofRow(is("p.created_at >= ?", time)),
  createdBefore: (time: Date) => ofRow(is("p.created_at < ?", time)),
  /** people_updated_idx, companies_updated_idx */
  updatedAfter: (time: Date) => ofRow(is("p.updated_at >= ?", time)),
  /** Nothing is created or active later than it is updated, so that lists by those can begin where these begin. */
  updatedBefore: (time: Date) =>
    ofRow(
      is(
        "p.updated_at < ? AND p.created_at < ? AND (p.last_activity_at < ? OR p.last_activity_at IS NULL)",
        time,
        time,
        time,
      ),
    ),
  /** people_score_idx, companies_score_idx */
  scoreAtLeast: (score: number) => ofRow(is("p.icp_score >= ?", score)),
  scoreAtMost: (score: number) => ofRow(is("p.icp_score <= ?", score)),
  /** people_stage_activity_idx */
  stages: (stages: readonly Stage[], byActivity: boolean) =>
    oneOf("pipeline_stage", "pipeline_stage", stages, byActivity),
  /** people_without_email_idx: most people have one */
  hasEmail: (has: boolean) => (has ? indexed("all", is("p.email IS NOT NULL")) : ofRow(is("p.email IS NULL"))),
  /**
   * people_owner_activity_idx, companies_owner_activity_idx; an empty text: no one. By score people_owner_score_idx and
   * companies_owner_score_idx, which hold only what someone owns.
   */
  owner: (email: string, column: string): Condition =>
    email !== "" && column === "icp_score"
      ? { ...is("p.owner = ?::text AND p.owner <> ''", email), index: "begins", sort: column }
      : oneOf("owner", "text", [email], column === "last_activity_at"),
  /** people_company_idx, people_without_company_idx */
  company: (filter: AnyOf<string>, byActivity: boolean) => {
    if (filter.is === "exists") return ofRow(is(`p.company_id IS ${filter.exists ? "NOT NULL" : "NULL"}`));
    if (filter.is === "any") return oneOf("company_id", "uuid", filter.values, byActivity);
    return ofRow(is("(p.company_id <> ALL(?::uuid[]) OR p.company_id IS NULL)", filter.values));
  },
  /** leads_person_key, and leads_entity_idx for a person at hand */
  inList: (id: string): Condition => ({
    text: "p.id IN (SELECT l.entity_id FROM leads l WHERE l.workspace_id = $workspace AND l.list_id = ? AND NOT l.hidden)",
    values: [id],
    rare: true,
    probe: is(
      "EXISTS (SELECT FROM leads l WHERE l.workspace_id = $workspace AND l.list_id = ? AND l.entity_id = p.id AND NOT l.hidden)",
      id,
    ),
  }),
  /**
   * relationships_pkey. Of their own the viewer sees all, of other members what is open to everyone. No walk in the order of the list:
   * relationships would have to be written with each activity of a person, once for each member who knows them.
   */
  knownBy: (userId: string, viewer: string | null): Condition => {
    const theirs = "r.workspace_id = $workspace AND r.user_id = ? AND r.open = ?";
    const values = [userId, userId !== viewer];
    return {
      text: `p.id IN (SELECT r.entity_id FROM relationships r WHERE ${theirs})`,
      values,
      rare: true,
      probe: is(`EXISTS (SELECT FROM relationships r WHERE ${theirs} AND r.entity_id = p.id)`, ...values),
    };
  },
  /** Those with one of these sets of properties, of which there are few: people_property_set_idx, companies_property_set_idx. */
  sets: (sets: readonly string[]): Condition => {
    const all = ofRow(is("p.property_set = ANY(?::text[]::uuid[])", sets));
    return sets.length === 0 ? ofRow(is("false")) : merged(all, "property_set", "uuid", sets);
  },
  /** who has this active identifier (identifiers_active_key) */
  named: (kind: string, value: string) =>
    is(
      "p.id IN (SELECT i.entity_id FROM identifiers i WHERE i.workspace_id = $workspace AND i.kind = ? AND i.value = ? AND i.retired_at IS NULL)",
      kind,
      value,
    ),
} as const;
