import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

// The only statements that read relationships for a caller, but the filter of lists (lib/domain/crm/people/queries/conditions.ts). `$1` is
// the viewer: a member, or null for who knows what the workspace knows. Of their own a member sees all, of others what is open.

export type RelationshipRow = {
  userId: string;
  email: string;
  name: string | null;
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

const known = (name: string, whom: string) =>
  sql(
    name,
    `SELECT r.user_id AS "userId", u.email, u.name, sum(r.sent)::int AS sent, sum(r.received)::int AS received, sum(r.replies)::int AS replies,
       sum(r.meetings)::int AS meetings, max(r.last_sent_at) AS "lastSentAt", max(r.last_received_at) AS "lastReceivedAt",
       max(r.last_met_at) AS "lastMetAt", sum(r.given) AS given, sum(r.got) AS got, count(*)::int AS people,
       (array_agg(r.entity_id ORDER BY r.got + r.given DESC, r.entity_id))[1] AS closest
     FROM relationships r JOIN members m ON m.workspace_id = $workspace AND m.user_id = r.user_id JOIN users u ON u.id = r.user_id
     WHERE r.workspace_id = $workspace AND r.open = (r.user_id IS DISTINCT FROM $1::uuid) AND ${whom} GROUP BY 1, 2, 3`,
  );

// relationships_entity_idx, members_workspace_id_user_id_key, users_pkey
const ofPeople = known("relationships_of_people", "r.entity_id = ANY($2::uuid[])");
// people_company_idx, relationships_entity_idx, members_workspace_id_user_id_key, users_pkey
const ofCompany = known(
  "relationships_of_company",
  `r.entity_id IN (SELECT p.id FROM people p WHERE p.workspace_id = $workspace AND p.company_id = ($2::uuid[])[1] AND p.status = 'active')`,
);

/** The members who know a person, by all ids of theirs, or the active people of a company, by its id. */
export const findKnowing = (
  db: Db,
  viewer: string | null,
  { type, ids }: { type: "person" | "company"; ids: readonly string[] },
): Promise<RelationshipRow[]> => db.query<RelationshipRow>(type === "company" ? ofCompany : ofPeople, [viewer, ids]);
