import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

// The only statements that read relationships for a caller, but the filter of lists (lib/domain/crm/people/queries/conditions.ts). `$1` is
// the viewer: a member, or null for who knows what the workspace knows.

export type RelationshipRow = {
  userId: string;
  sent: number;
  received: number;
  replies: number;
  meetings: number;
  lastSentAt: Date | null;
  lastReceivedAt: Date | null;
  lastMetAt: Date | null;
  given: number;
  got: number;
  /** how many people they know, and whom best */
  people: number;
  closest: string;
};

/** What the viewer may know: of their own all, of others what is open. */
const SEEN = "r.workspace_id = $workspace AND r.open = (r.user_id IS DISTINCT FROM $1::uuid)";

// relationships_entity_idx; merged people have one row for each member
const ofPerson = sql(
  "relationships_of_person",
  `SELECT r.user_id AS "userId", r.sent, r.received, r.replies, r.meetings, r.last_sent_at AS "lastSentAt", r.last_received_at AS "lastReceivedAt",
     r.last_met_at AS "lastMetAt", r.given, r.got, 1 AS people, r.entity_id AS closest
   FROM relationships r WHERE ${SEEN} AND r.entity_id = $2`,
);
// people_company_idx, relationships_entity_idx
const ofCompany = sql(
  "relationships_of_company",
  `SELECT r.user_id AS "userId", sum(r.sent)::int AS sent, sum(r.received)::int AS received, sum(r.replies)::int AS replies,
     sum(r.meetings)::int AS meetings, max(r.last_sent_at) AS "lastSentAt", max(r.last_received_at) AS "lastReceivedAt",
     max(r.last_met_at) AS "lastMetAt", sum(r.given) AS given, sum(r.got) AS got, count(*)::int AS people,
     (array_agg(r.entity_id ORDER BY r.got + r.given DESC, r.entity_id))[1] AS closest
   FROM relationships r WHERE ${SEEN}
     AND r.entity_id IN (SELECT p.id FROM people p WHERE p.workspace_id = $workspace AND p.company_id = $2 AND p.status = 'active') GROUP BY 1`,
);

/** Who knows a person, or the active people of a company: users who are or were members. */
export const findKnowing = (
  db: Db,
  viewer: string | null,
  { type, id }: { type: "person" | "company"; id: string },
): Promise<RelationshipRow[]> => db.query<RelationshipRow>(type === "company" ? ofCompany : ofPerson, [viewer, id]);
