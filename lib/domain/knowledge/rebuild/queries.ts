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
  `SELECT 'claim ' || property AS name, to_jsonb(c)::text AS text FROM claims c WHERE workspace_id = $workspace AND entity_id = $1
   UNION ALL SELECT 'person', to_jsonb(p)::text FROM people p WHERE workspace_id = $workspace AND id = $1
   UNION ALL SELECT 'value ' || property, to_jsonb(v)::text FROM property_values v WHERE workspace_id = $workspace AND entity_id = $1
   UNION ALL SELECT 'company', to_jsonb(c)::text FROM companies c WHERE workspace_id = $workspace AND id = $1`,
);

/** Every projection of an entity by name, each as text that is equal when every byte is. */
export async function findProjections(db: Db, entityId: string): Promise<Map<string, string>> {
  const rows = await db.query<{ name: string; text: string }>(snapshot, [entityId]);
  return new Map(rows.map(({ name, text }) => [name, text]));
}
