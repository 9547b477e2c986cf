import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { EntityType } from "#lib/domain/records/entities/service.ts";

/** Ids of entities of one type after `after`, in order, without merged ones. */
export async function findEntityIds(db: Db, type: EntityType, after: string | null, limit: number): Promise<string[]> {
  const entities = await db.prisma.entity.findMany({
    where: { type, mergedInto: null, ...(after === null ? {} : { id: { gt: after } }) },
    select: { id: true },
    orderBy: { id: "asc" },
    take: limit,
  });
  return entities.map(({ id }) => id);
}

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
