import type { Db } from "#lib/db/handle.ts";
import { formFor, sqlOfRows } from "#lib/db/statement.ts";
import type { Subject } from "../rules/world.ts";

// entities_pkey, people_pkey, companies_pkey, identifiers_workspace_id_entity_id_idx, claims_workspace_id_entity_id_property_key,
// notes_entity_date_idx, note_names_entity_idx, each by a plain id. OFFSET 0 keeps the planner of a young table from reading the
// workspace's whole index of active identifiers. Properties with dots (notes, interactions) are not fields.
const read = sqlOfRows(
  "subjects_read",
  (limit) => `SELECT e.id, coalesce(p.status, c.status)::text AS status, c.name, c.domain, p.company_id AS "formerId",
     known.identifiers, known.at AS "namedAt", believed.claims, w.employer,
     CASE WHEN EXISTS (SELECT FROM notes n WHERE n.workspace_id = $workspace AND n.entity_id = ANY(array_prepend(e.id, e.absorbed)))
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
       SELECT coalesce(o.merged_into, o.id) AS id FROM entities o WHERE o.workspace_id = $workspace
         AND o.id = CASE WHEN b.value #>> '{}' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN (b.value #>> '{}')::uuid END OFFSET 0
     ) AS named ON true
     JOIN LATERAL (SELECT * FROM companies c WHERE c.workspace_id = $workspace AND c.id = named.id OFFSET 0) AS c ON true
     WHERE b.workspace_id = $workspace AND b.entity_id = e.id AND b.property = 'works_at' AND b.ended_at IS NULL AND e.type = 'person' OFFSET 0
   ) AS w ON true`,
);

/** What the rows of some records are made of. */
export async function findSubjects(db: Db, ids: readonly string[]): Promise<Map<string, Subject>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Map();
  return new Map((await db.query<Subject>(formFor(read, wanted.length), [wanted])).map((row) => [row.id, row]));
}
