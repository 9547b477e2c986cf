/** What a decision is made from, besides evidence: who is named, what their rows are made of, and the workspace's rules. */
import type { Db } from "#lib/db/handle.ts";
import { formFor, sql, sqlOfRows } from "#lib/db/statement.ts";
import type { StageRule } from "../rules/stages.ts";
import type { Lookup, Reference, Subject } from "../rules/world.ts";

// identifiers_active_key, entities_pkey, people_pkey, companies_pkey, observations_external_id_key, each by plain values: a
// LATERAL that returns one row is never turned into a join over the whole table. Without an external id nothing is looked for: the planner
// of a young table would walk all that was learned.
const lookRows = sqlOfRows(
  "contacts_read",
  (
    limit,
  ) => `SELECT (SELECT date_trunc('milliseconds', clock_timestamp())) AS now, e.id, e.type::text, e.status::text, e.absorbed, e.created_at AS "createdAt",
     e.is_lead AS "isLead", p.pipeline_stage::text AS stage, c.name, c.domain, k.recorded
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
     SELECT json_build_object('id', o.id, 'of', o.entity_id, 'before', o.stage_before, 'after', o.stage_after) AS recorded FROM observations o
     WHERE n.external_id IS NOT NULL AND o.workspace_id = $workspace AND o.entity_id = ANY(array_prepend(e.id, e.absorbed))
       AND o.source = n.source AND o.external_id = n.external_id
     ORDER BY o.seq LIMIT 1
   ) AS k ON true
   ORDER BY n.place`,
  { plannedOnce: true },
);

/** What is known of each reference now, in the order given. */
export const look = (db: Db, references: readonly Reference[]): Promise<Lookup[]> =>
  references.length === 0
    ? Promise.resolve([])
    : db.query<Lookup>(formFor(lookRows, references.length), [
        references.map(({ who }) => ("kind" in who ? who.kind : null)),
        references.map(({ who }) => ("kind" in who ? who.value : null)),
        references.map(({ who }) => ("kind" in who ? null : who.id)),
        references.map(({ source }) => source),
        references.map(({ externalId }) => externalId),
      ]);

// entities_pkey, people_pkey, companies_pkey, identifiers_workspace_id_entity_id_idx, claims_workspace_id_entity_id_property_key,
// notes_entity_date_idx, note_names_entity_idx, each by a plain id. OFFSET 0 keeps the planner of a young table from reading the
// workspace's whole index of active identifiers. Properties with dots (notes, interactions) are not fields.
const subjectRows = sqlOfRows(
  "subjects_read",
  (limit) => `SELECT e.id, coalesce(p.status, c.status)::text AS status, c.name, c.domain, p.company_id AS "formerId",
     known.identifiers, known.at AS "namedAt", believed.claims, w.employer,
     CASE WHEN EXISTS (SELECT FROM unnest(array_prepend(e.id, e.absorbed)) AS part(id) JOIN notes n ON n.workspace_id = $workspace AND n.entity_id = part.id)
       THEN json_build_object('search', coalesce(p.search, c.search), 'named', EXISTS (
         SELECT FROM note_names n WHERE n.workspace_id = $workspace AND n.entity_id = e.id)) END AS noted
   FROM (SELECT unnest($1::uuid[]) AS id ${limit}) AS wanted
   CROSS JOIN LATERAL (SELECT * FROM entities e WHERE e.workspace_id = $workspace AND e.id = wanted.id OFFSET 0) AS e
   LEFT JOIN LATERAL (SELECT * FROM people p WHERE p.workspace_id = $workspace AND p.id = e.id LIMIT 1) AS p ON true
   LEFT JOIN LATERAL (SELECT * FROM companies c WHERE c.workspace_id = $workspace AND c.id = e.id LIMIT 1) AS c ON true
   CROSS JOIN LATERAL (
     SELECT coalesce(json_agg(json_build_object('kind', i.kind, 'value', i.value) ORDER BY coalesce(i.preferred_at, i.created_at) DESC, i.id DESC), '[]') AS identifiers,
       max(coalesce(i.preferred_at, i.created_at)) AS at FROM (SELECT * FROM identifiers i WHERE i.workspace_id = $workspace AND i.entity_id = e.id OFFSET 0) AS i WHERE i.retired_at IS NULL
   ) AS known
   CROSS JOIN LATERAL (
     SELECT coalesce(json_agg(json_build_array(b.property, b.value)), '[]') AS claims FROM (SELECT * FROM claims b WHERE b.workspace_id = $workspace AND b.entity_id = e.id OFFSET 0) AS b
     WHERE b.ended_at IS NULL AND b.property NOT LIKE '%.%'
   ) AS believed
   LEFT JOIN LATERAL (
     SELECT json_build_object('id', c.id, 'name', c.name, 'domain', c.domain) AS employer FROM claims b
     JOIN LATERAL (
       SELECT coalesce(o.merged_into, o.id) AS id FROM (
         SELECT CASE WHEN b.value #>> '{}' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN (b.value #>> '{}')::uuid END AS id OFFSET 0
       ) AS said JOIN entities o ON o.workspace_id = $workspace AND o.id = said.id OFFSET 0
     ) AS named ON true
     JOIN LATERAL (SELECT * FROM companies c WHERE c.workspace_id = $workspace AND c.id = named.id OFFSET 0) AS c ON true
     WHERE b.workspace_id = $workspace AND b.entity_id = e.id AND b.property = 'works_at' AND b.ended_at IS NULL AND e.type = 'person' OFFSET 0
   ) AS w ON true`,
);

/** What the rows of some records are made of. */
export async function findSubjects(db: Db, ids: readonly string[]): Promise<Map<string, Subject>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Map();
  return new Map((await db.query<Subject>(formFor(subjectRows, wanted.length), [wanted])).map((row) => [row.id, row]));
}

export type OwnRules = { rules: StageRule[]; maxAgeDays: number; updatedAt: Date; updatedBy: string };

// stage_rules_pkey
const ownRules = sql(
  "stage_rules_find",
  `SELECT rules, max_age_days AS "maxAgeDays", updated_at AS "updatedAt", updated_by AS "updatedBy" FROM stage_rules WHERE workspace_id = $workspace`,
);

/** The rules of a workspace that has its own. */
export const findOwnRules = async (db: Db): Promise<OwnRules | null> => (await db.query<OwnRules>(ownRules))[0] ?? null;
