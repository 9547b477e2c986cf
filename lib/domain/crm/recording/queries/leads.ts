import type { Db } from "#lib/db/handle.ts";
import { formFor, sql, sqlOfIds, sqlOfRows } from "#lib/db/statement.ts";
import type { LeadRow } from "../rules/lead-moves.ts";

const COLUMNS = `l.id, l.list_id AS "listId", l.entity_id AS "entityId", l.hidden, l.status::text, l.sent_at AS "sentAt", l.replied_at AS "repliedAt",
  l.bounced_at AS "bouncedAt", l.reply_outcome::text AS "replyOutcome", l.given_score AS "givenScore", l.fields`;

// leads_entity_idx
const ofEntities = sqlOfIds(
  "leads_of_entities_locked",
  (these) =>
    `SELECT ${COLUMNS} FROM leads l WHERE l.workspace_id = $workspace AND l.entity_id ${these} ORDER BY l.id FOR UPDATE`,
);

/** All leads of some people, the hidden ones too, locked. The caller holds the people. */
export const lockLeadsOf = (db: Db, entityIds: readonly string[]): Promise<LeadRow[]> =>
  db.query<LeadRow>(formFor(ofEntities, entityIds.length), [entityIds]);

// leads_pkey
const peopleOf = sql(
  "leads_people",
  'SELECT id, entity_id AS "entityId" FROM leads WHERE workspace_id = $workspace AND id = ANY($1) AND NOT hidden',
);

/** Whose leads these are; ids that no lead has are left out. */
export const findPeopleOf = (db: Db, ids: readonly string[]) =>
  db.query<{ id: string; entityId: string }>(peopleOf, [ids]);

// leads_pkey
const locked = sql(
  "leads_locked",
  `SELECT ${COLUMNS} FROM leads l WHERE l.workspace_id = $workspace AND l.id = ANY($1) AND NOT l.hidden ORDER BY l.id FOR UPDATE`,
);

/** Leads, locked. The caller holds their people. */
export const lockLeads = (db: Db, ids: readonly string[]): Promise<LeadRow[]> => db.query<LeadRow>(locked, [ids]);

// leads_pkey; people_pkey
const update = sqlOfRows(
  "leads_update",
  (
    limit,
  ) => `UPDATE leads l SET status = g.status, sent_at = g.sent_at, replied_at = g.replied_at, bounced_at = g.bounced_at,
     reply_outcome = g.reply_outcome, given_score = g.given_score, fields = g.fields, updated_at = greatest(l.updated_at, $9),
     score = coalesce(g.given_score, (SELECT p.icp_score / 100.0::float8 FROM people p WHERE p.workspace_id = $workspace AND p.id = l.entity_id))
   FROM (SELECT * FROM unnest($1::uuid[], $2::lead_status[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[], $6::reply_outcome[], $7::float8[], $8::jsonb[])
     AS u(id, status, sent_at, replied_at, bounced_at, reply_outcome, given_score, fields) ${limit}) AS g
   WHERE l.workspace_id = $workspace AND l.id = g.id`,
);

/** Writes what may change of leads; sent with the COMMIT. */
export function updateLeads(db: Db, at: Date, leads: readonly LeadRow[]): void {
  void db.defer(formFor(update, leads.length), [
    leads.map(({ id }) => id),
    leads.map(({ status }) => status),
    leads.map(({ sentAt }) => sentAt),
    leads.map(({ repliedAt }) => repliedAt),
    leads.map(({ bouncedAt }) => bouncedAt),
    leads.map(({ replyOutcome }) => replyOutcome),
    leads.map(({ givenScore }) => givenScore),
    leads.map(({ fields }) => JSON.stringify(fields)),
    at,
  ]);
}
