import { newId } from "#lib/core/ids.ts";
import type { Db } from "#lib/db/handle.ts";
import { lock, lockLate } from "#lib/db/locks.ts";
import { formFor, sql, sqlOfIds, sqlOfRows } from "#lib/db/statement.ts";
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
  `SELECT ${COLUMNS} FROM entities e WHERE e.workspace_id = $workspace AND e.id = (
     SELECT coalesce(named.merged_into, named.id) FROM entities named WHERE named.workspace_id = $workspace AND named.id = $1)`,
);

/** The entity of that id, or the one it was merged into. */
export const findEntity = async (db: Db, id: string): Promise<EntityRow | null> =>
  (await db.query<EntityRow>(byId, [id]))[0] ?? null;

// entities_pkey
const byIds = sqlOfIds(
  "entities_by_ids",
  (these) =>
    `SELECT ${COLUMNS}, e.merged_into AS "mergedInto" FROM entities e WHERE e.workspace_id = $workspace AND e.id ${these}`,
);

/** The entities of some ids, or those they were merged into, by id. */
export async function findEntities(db: Db, ids: readonly string[]): Promise<Map<string, EntityRow>> {
  const rows = await db.query<EntityRow & { mergedInto: string | null }>(formFor(byIds, ids.length), [ids]);
  const elsewhere = rows.flatMap(({ mergedInto }) => mergedInto ?? []);
  const kept = elsewhere.length > 0 ? await findEntities(db, elsewhere) : new Map<string, EntityRow>();
  const found = rows.map(({ mergedInto, ...entity }): [string, EntityRow | undefined] => [
    entity.id,
    mergedInto ? kept.get(mergedInto) : entity,
  ]);
  return new Map(found.filter((pair): pair is [string, EntityRow] => pair[1] !== undefined));
}

// identifiers_active_key; entities_pkey. LATERAL keeps it at one probe each: the planner of a table that grew since it was
// analysed would read the whole workspace.
const byIdentifiers = sqlOfRows(
  "entities_by_identifiers",
  (
    limit,
  ) => `SELECT i.kind, i.value, ${COLUMNS} FROM (SELECT * FROM unnest($1::text[], $2::text[]) AS w(kind, value) ${limit}) AS wanted
   CROSS JOIN LATERAL (SELECT * FROM identifiers i WHERE i.workspace_id = $workspace AND i.kind = wanted.kind AND i.value = wanted.value
     AND i.retired_at IS NULL OFFSET 0) AS i
   CROSS JOIN LATERAL (SELECT * FROM entities e WHERE e.workspace_id = $workspace AND e.id = i.entity_id OFFSET 0) AS e`,
);

export type Named = { kind: IdentifierKind; value: string };

/** The entities that active identifiers name. */
export const findByIdentifiers = (db: Db, wanted: readonly Named[]): Promise<(EntityRow & Named)[]> =>
  db.query<EntityRow & Named>(formFor(byIdentifiers, wanted.length), [
    wanted.map(({ kind }) => kind),
    wanted.map(({ value }) => value),
  ]);

const insertEntityRows = sql(
  "entities_insert",
  `INSERT INTO entities (workspace_id, id, type, created_at)
   SELECT $workspace, n.id, n.type::entity_type, date_trunc('milliseconds', clock_timestamp())
   FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS n(id, type, place) ORDER BY n.place RETURNING id, created_at AS "createdAt"`,
);

/** New entities; returns when each was created, by the database's clock. */
export async function insertEntities(
  db: Db,
  entities: readonly { id: string; type: EntityType }[],
): Promise<Map<string, Date>> {
  const values = [entities.map(({ id }) => id), entities.map(({ type }) => type)];
  const rows = await db.query<{ id: string; createdAt: Date }>(insertEntityRows, values);
  return new Map(rows.map(({ id, createdAt }) => [id, createdAt]));
}

const insertIdentifierRows = sql(
  "identifiers_insert",
  `INSERT INTO identifiers (workspace_id, id, entity_id, kind, value, created_at)
   SELECT $workspace, n.id, n.entity_id, n.kind, n.value, date_trunc('milliseconds', clock_timestamp())
   FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) WITH ORDINALITY AS n(id, entity_id, kind, value, place) ORDER BY n.place RETURNING NULL`,
);

/** Gives entities identifiers, whose locks the caller holds. Its answer is not waited for. */
export function insertIdentifiers(db: Db, given: readonly (Named & { entityId: string })[]): void {
  if (given.length === 0) return;
  void db.defer(insertIdentifierRows, [
    given.map(() => newId()),
    given.map(({ entityId }) => entityId),
    given.map(({ kind }) => kind),
    given.map(({ value }) => value),
  ]);
}

const createRows = sqlOfRows(
  "entities_create",
  (limit) => `WITH given AS (
     SELECT * FROM unnest($2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::text[]) WITH ORDINALITY AS g(id, type, identifier, kind, value, place) ${limit}
   ), made AS (
     INSERT INTO entities (workspace_id, id, type, created_at)
     SELECT $workspace, id, type::entity_type, $1 FROM given ORDER BY place RETURNING NULL
   )
   INSERT INTO identifiers (workspace_id, id, entity_id, kind, value, created_at)
   SELECT $workspace, identifier, id, kind, value, $1 FROM given ORDER BY place RETURNING NULL`,
);

export type NewEntity = { id: string; type: "person" | "company"; named: Named };

/** New entities, each with its identifier, whose lock the caller holds. Sent with the COMMIT. */
export function createEntities(db: Db, at: Date, entities: readonly NewEntity[]): void {
  void db.defer(formFor(createRows, entities.length), [
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
  `UPDATE identifiers SET retired_at = now() WHERE workspace_id = $workspace AND entity_id = $1 AND kind = $2 AND retired_at IS NULL`,
);

/** Retires every active identifier of a kind: the entity is no longer known by it, and another may take it. */
export async function retireIdentifiers(db: Db, entityId: string, kind: IdentifierKind): Promise<void> {
  await db.query(retireRows, [entityId, kind]);
}

// identifiers_active_key
const retireOne = sql(
  "identifier_retire",
  `UPDATE identifiers SET retired_at = $4
   WHERE workspace_id = $workspace AND entity_id = $1 AND kind = $2 AND value = $3 AND retired_at IS NULL RETURNING id`,
);

/** Takes one identifier from an entity; false when the entity does not have it. */
export const retireIdentifier = async (db: Db, entityId: string, { kind, value }: Named, at: Date): Promise<boolean> =>
  (await db.query(retireOne, [entityId, kind, value, at])).length > 0;

// identifiers_active_key. Later than any that was added in the same transaction.
const preferOne = sql(
  "identifier_prefer",
  `UPDATE identifiers SET preferred_at = $4::timestamptz + interval '1 millisecond'
   WHERE workspace_id = $workspace AND entity_id = $1 AND kind = $2 AND value = $3 AND retired_at IS NULL`,
);

/** Makes an identifier the primary one of its kind. */
export async function preferIdentifier(db: Db, entityId: string, { kind, value }: Named, at: Date): Promise<void> {
  await db.query(preferOne, [entityId, kind, value, at]);
}

// identifiers_workspace_id_entity_id_idx. LATERAL keeps it at one probe each, and the condition outside keeps the planner of a
// young table from reading the workspace's whole index of active ones.
const ofEntities = sqlOfRows(
  "identifiers_of_entities",
  (
    limit,
  ) => `SELECT i.entity_id AS "entityId", i.kind, i.value, i.created_at AS "createdAt" FROM (SELECT unnest($1::uuid[]) AS id ${limit}) AS whose
   CROSS JOIN LATERAL (SELECT * FROM identifiers i WHERE i.workspace_id = $workspace AND i.entity_id = whose.id OFFSET 0) AS i
   WHERE i.retired_at IS NULL ORDER BY coalesce(i.preferred_at, i.created_at) DESC, i.id DESC`,
);

type Owned = Named & { entityId: string; createdAt: Date };

/** Active identifiers of some entities, the primary one of each kind before the others of its kind, the latest first. */
export function findIdentifiersOf(db: Db, entityIds: readonly string[]): Promise<Owned[]> {
  const ids = [...new Set(entityIds)];
  return db.query<Owned>(formFor(ofEntities, ids.length), [ids]);
}

/**
 * Serialises writers that want to create or attach these identifiers, always in the same order; locked until the
 * transaction ends.
 */
export const lockIdentifiers = (db: Db, named: readonly Named[]): Promise<void> =>
  lock(db, "identifier", named.map(lockNameOf));

const lockNameOf = ({ kind, value }: Named): string => `${kind} ${value}`;

/** Like `lockIdentifiers`, for a caller that already holds entities: throws `Overtaken` instead of waiting. */
export const lockIdentifiersLate = (db: Db, named: readonly Named[]): Promise<void> =>
  lockLate(db, "identifier", named.map(lockNameOf));

const setStatusRows = sql(
  "entities_set_status",
  "UPDATE entities SET status = $2::entity_status, status_action = $3 WHERE workspace_id = $workspace AND id = ANY($1)",
);

/** `action`: the bulk action that does it. */
export async function setStatus(
  db: Db,
  ids: readonly string[],
  status: EntityRow["status"],
  action: string | null = null,
): Promise<void> {
  await db.query(setStatusRows, [ids, status, action]);
}

// entities_pkey
const statusOfAction = sql(
  "entities_status_of_action",
  "SELECT id FROM entities WHERE workspace_id = $workspace AND id = ANY($1) AND status_action = $2",
);

/** Which of these have the status that a bulk action gave them, not set by anything since. */
export const findStatusOfAction = async (db: Db, ids: readonly string[], action: string): Promise<string[]> =>
  (await db.query<{ id: string }>(statusOfAction, [ids, action])).map(({ id }) => id);
