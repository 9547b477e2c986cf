import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

// entities_pkey; people before companies, whose counts follow from them
const page = sql(
  "rebuild_page",
  `SELECT id FROM entities WHERE workspace_id = $workspace AND merged_into IS NULL AND type = $1::entity_type AND ($2::uuid IS NULL OR id > $2)
   ORDER BY id LIMIT $3`,
);

/** Ids of entities of one type after `after`, in order, without merged ones. */
export const findEntityIds = async (db: Db, type: string, after: string | null, limit: number): Promise<string[]> =>
  (await db.query<{ id: string }>(page, [type, after, limit])).map((row) => row.id);

// claims_workspace_id_entity_id_property_key; people_pkey; companies_pkey; property_values_pkey
const snapshot = sql(
  "rebuild_snapshot",
  `SELECT entity_id AS id, 'claim ' || property AS name, to_jsonb(c)::text AS text FROM claims c WHERE workspace_id = $workspace AND entity_id = ANY($1::uuid[])
   UNION ALL SELECT id, 'person', to_jsonb(p)::text FROM people p WHERE workspace_id = $workspace AND id = ANY($1::uuid[])
   UNION ALL SELECT entity_id, 'value ' || property, to_jsonb(v)::text FROM property_values v WHERE workspace_id = $workspace AND entity_id = ANY($1::uuid[])
   UNION ALL SELECT id, 'company', to_jsonb(c)::text FROM companies c WHERE workspace_id = $workspace AND id = ANY($1::uuid[])`,
);

export type Projection = { id: string; name: string; text: string };

/** Every projection of some entities by `<id> <name>`, each with its text, which is equal when every byte is. */
export async function findProjections(db: Db, entityIds: readonly string[]): Promise<Map<string, Projection>> {
  const rows = await db.query<Projection>(snapshot, [entityIds]);
  return new Map(rows.map((row) => [`${row.id} ${row.name}`, row]));
}
