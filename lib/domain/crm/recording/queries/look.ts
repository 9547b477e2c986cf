import type { Db } from "#lib/db/handle.ts";
import { formFor, sqlOfRows } from "#lib/db/statement.ts";
import type { Looked, Reference } from "../rules/world.ts";

// identifiers_active_key, entities_pkey, people_pkey, companies_pkey, observations_external_id_key, each by plain values: a
// LATERAL that returns one row is never turned into a join over the whole table. Without an external id nothing is looked for: the planner
// of a young table would walk all that was learned.
const read = sqlOfRows(
  "contacts_read",
  (
    limit,
  ) => `SELECT (SELECT date_trunc('milliseconds', clock_timestamp())) AS now, e.id, e.type::text, e.status::text, e.absorbed, e.created_at AS "createdAt",
     e.is_lead AS "isLead", p.pipeline_stage::text AS stage, c.name, c.domain, k.known
   FROM (
     SELECT * FROM unnest($1::text[], $2::text[], $3::uuid[], $4::text[], $5::text[]) WITH ORDINALITY AS u(kind, value, contact, source, external_id, place) ${limit}
   ) AS n
   LEFT JOIN LATERAL (
     SELECT entity_id FROM identifiers WHERE workspace_id = $workspace AND kind = n.kind AND value = n.value AND retired_at IS NULL LIMIT 1
   ) AS i ON true
   LEFT JOIN LATERAL (
     SELECT coalesce(merged_into, id) AS id FROM entities WHERE workspace_id = $workspace AND id = n.contact LIMIT 1
   ) AS t ON true
   LEFT JOIN LATERAL (
     SELECT id, type, status, absorbed, created_at, is_lead FROM entities WHERE workspace_id = $workspace AND id = CASE WHEN n.contact IS NULL THEN i.entity_id ELSE t.id END LIMIT 1
   ) AS e ON true
   LEFT JOIN LATERAL (
     SELECT pipeline_stage FROM people WHERE workspace_id = $workspace AND id = e.id AND e.type = 'person' LIMIT 1
   ) AS p ON true
   LEFT JOIN LATERAL (
     SELECT name, domain FROM companies WHERE workspace_id = $workspace AND id = e.id AND e.type = 'company' LIMIT 1
   ) AS c ON true
   LEFT JOIN LATERAL (
     SELECT json_build_object('id', o.id, 'of', o.entity_id, 'before', o.stage_before, 'after', o.stage_after) AS known FROM observations o
     WHERE n.external_id IS NOT NULL AND o.workspace_id = $workspace AND o.entity_id = ANY(array_prepend(e.id, e.absorbed))
       AND o.source = n.source AND o.external_id = n.external_id
     ORDER BY o.seq LIMIT 1
   ) AS k ON true
   ORDER BY n.place`,
  { plannedOnce: true },
);

/** What is known of each reference now, in the order given. */
export const look = (db: Db, references: readonly Reference[]): Promise<Looked[]> =>
  references.length === 0
    ? Promise.resolve([])
    : db.query<Looked>(formFor(read, references.length), [
        references.map(({ who }) => ("kind" in who ? who.kind : null)),
        references.map(({ who }) => ("kind" in who ? who.value : null)),
        references.map(({ who }) => ("kind" in who ? null : who.id)),
        references.map(({ source }) => source),
        references.map(({ externalId }) => externalId),
      ]);
