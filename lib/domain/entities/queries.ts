import { newId } from "#lib/core/ids.ts";
import { type Db, sql } from "#lib/db/transaction.ts";
import type { IdentifierKind } from "./rules.ts";

export type EntityType = "workspace" | "person" | "company";

export type EntityRow = {
  id: string;
  type: EntityType;
  status: "active" | "archived";
  /** entities merged into this one */
  absorbed: string[];
  createdAt: Date;
};

const COLUMNS = `e.id, e.type::text, e.status::text, e.absorbed, e.created_at AS "createdAt"`;

// entities_pkey, twice when the entity was merged into another; an expression as a join's key would walk the index
const byId = sql(
  "entity_by_id",
  `SELECT ${COLUMNS} FROM entities e WHERE e.workspace_id = rapport_workspace() AND e.id = (
     SELECT coalesce(named.merged_into, named.id) FROM entities named WHERE named.workspace_id = rapport_workspace() AND named.id = $1)`,
);

/** The entity of that id, or the one it was merged into. */
export const findEntity = async (db: Db, id: string): Promise<EntityRow | null> =>
  (await db.query<EntityRow>(byId, [id]))[0] ?? null;

// identifiers_active_key; entities_pkey
const byIdentifiers = sql(
  "entities_by_identifiers",
  `SELECT i.kind, i.value, ${COLUMNS} FROM unnest($1::text[], $2::text[]) AS wanted(kind, value)
   JOIN identifiers i ON i.workspace_id = rapport_workspace() AND i.kind = wanted.kind AND i.value = wanted.value AND i.retired_at IS NULL
   JOIN entities e ON e.workspace_id = i.workspace_id AND e.id = i.entity_id`,
);

export type Named = { kind: IdentifierKind; value: string };

/** The entities that active identifiers name. */
export const findByIdentifiers = (db: Db, wanted: readonly Named[]): Promise<(EntityRow & Named)[]> =>
  db.query<EntityRow & Named>(byIdentifiers, [wanted.map(({ kind }) => kind), wanted.map(({ value }) => value)]);

const insertEntityRow = sql(
  "entity_insert",
  "INSERT INTO entities (workspace_id, id, type, created_at) VALUES (rapport_workspace(), $1, $2::entity_type, date_trunc('milliseconds', clock_timestamp())) RETURNING created_at AS \"createdAt\"",
);

/** A new entity; returns when it was created, by the database's clock. */
export async function insertEntity(db: Db, id: string, type: EntityType): Promise<Date> {
  const [row] = await db.query<{ createdAt: Date }>(insertEntityRow, [id, type]);
  if (!row) throw new Error("the entity was not written");
  return row.createdAt;
}

const insertIdentifierRows = sql(
  "identifiers_insert",
  `INSERT INTO identifiers (workspace_id, id, entity_id, kind, value, created_at)
   SELECT rapport_workspace(), n.id, $1, n.kind, n.value, date_trunc('milliseconds', clock_timestamp()) FROM unnest($2::uuid[], $3::text[], $4::text[]) AS n(id, kind, value)`,
);

export async function insertIdentifiers(db: Db, entityId: string, named: readonly Named[]): Promise<void> {
  if (named.length === 0) return;
  const [ids, kinds, values] = [
    named.map(() => newId()),
    named.map(({ kind }) => kind),
    named.map(({ value }) => value),
  ];
  await db.query(insertIdentifierRows, [entityId, ids, kinds, values]);
}

const createRows = sql(
  "entities_create",
  `WITH given AS (
     SELECT * FROM unnest($2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::text[]) WITH ORDINALITY AS g(id, type, identifier, kind, value, place)
   ), made AS (
     INSERT INTO entities (workspace_id, id, type, created_at)
     SELECT rapport_workspace(), id, type::entity_type, $1 FROM given ORDER BY place
   )
   INSERT INTO identifiers (workspace_id, id, entity_id, kind, value, created_at)
   SELECT rapport_workspace(), identifier, id, kind, value, $1 FROM given ORDER BY place`,
);

export type NewEntity = { id: string; type: "person" | "company"; named: Named };

/** New entities, each with its identifier, whose lock the caller holds. Leaves with the COMMIT. */
export function createEntities(db: Db, at: Date, entities: readonly NewEntity[]): void {
  void db.defer(createRows, [
    at,
    entities.map(({ id }) => id),
    entities.map(({ type }) => type),
    entities.map(() => newId()),
    entities.map(({ named }) => named.kind),
    entities.map(({ named }) => named.value),
  ]);
}

const retireRows = sql(
  "identifiers_retire",
  `UPDATE identifiers SET retired_at = now() WHERE workspace_id = rapport_workspace() AND entity_id = $1 AND kind = $2 AND retired_at IS NULL`,
);

/** Retires every active identifier of a kind: the entity is no longer known by it, and another may take it. */
export async function retireIdentifiers(db: Db, entityId: string, kind: IdentifierKind): Promise<void> {
  await db.query(retireRows, [entityId, kind]);
}

// identifiers_workspace_id_entity_id_idx
const ofEntity = sql(
  "identifiers_of_entity",
  `SELECT kind, value FROM identifiers WHERE workspace_id = rapport_workspace() AND entity_id = $1 AND retired_at IS NULL ORDER BY created_at DESC, id DESC`,
);

/** Active identifiers, the latest first. */
export const findIdentifiers = (db: Db, entityId: string): Promise<Named[]> => db.query<Named>(ofEntity, [entityId]);

const lockRows = sql(
  "identifiers_lock",
  `SELECT pg_advisory_xact_lock(hashtextextended(rapport_workspace()::text || name, 1)) FROM (SELECT unnest($1::text[]) AS name ORDER BY 1) AS names`,
);

/** Serialises writers that want to create or attach these identifiers, in one order for all; held until the transaction ends. */
export async function lockIdentifiers(db: Db, named: readonly Named[]): Promise<void> {
  await db.query(lockRows, [named.map(({ kind, value }) => `${kind} ${value}`)]);
}

const setStatusRow = sql(
  "entity_set_status",
  "UPDATE entities SET status = $2::entity_status WHERE workspace_id = rapport_workspace() AND id = $1",
);

export async function setStatus(db: Db, id: string, status: EntityRow["status"]): Promise<void> {
  await db.query(setStatusRow, [id, status]);
}
