import { newId } from "#lib/core/ids.ts";
import { together } from "#lib/core/together.ts";
import type { Db } from "#lib/db/handle.ts";
import { holdsLocks, lock } from "#lib/db/locks.ts";
import { formFor, sql, sqlOfIds, sqlOfRows } from "#lib/db/statement.ts";
import { type IdentifierKind, identifierKey } from "./rules.ts";

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
  const entries = rows.map(({ mergedInto, ...entity }): [string, EntityRow | undefined] => [
    entity.id,
    mergedInto ? kept.get(mergedInto) : entity,
  ]);
  return new Map(entries.filter((pair): pair is [string, EntityRow] => pair[1] !== undefined));
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

export type Identifier = { kind: IdentifierKind; value: string };

/** The entities that active identifiers name. */
export const findByIdentifiers = (db: Db, wanted: readonly Identifier[]): Promise<(EntityRow & Identifier)[]> =>
  wanted.length === 0
    ? Promise.resolve([])
    : db.query<EntityRow & Identifier>(formFor(byIdentifiers, wanted.length), [
        wanted.map(({ kind }) => kind),
        wanted.map(({ value }) => value),
      ]);

/** The people who are known by some e-mail addresses, by the address. */
export async function findPeopleByEmail(db: Db, addresses: Iterable<string>): Promise<Map<string, string>> {
  const wanted = [...new Set(addresses)].map((value) => ({ kind: "email", value }) as const);
  const rows = await findByIdentifiers(db, wanted);
  return new Map(rows.flatMap(({ type, value, id }) => (type === "person" ? [[value, id]] : [])));
}

const insertRows = sqlOfRows(
  "entities_insert",
  (limit) => `INSERT INTO entities (workspace_id, id, type, created_at)
   SELECT $workspace, n.id, n.type::entity_type, $1 FROM unnest($2::uuid[], $3::text[]) WITH ORDINALITY AS n(id, type, place)
   ORDER BY n.place ${limit} RETURNING NULL`,
);

/** New entities. Sent with the COMMIT. */
export function createEntities(db: Db, at: Date, entities: readonly { id: string; type: EntityType }[]): void {
  if (entities.length === 0) return;
  const values = [at, entities.map(({ id }) => id), entities.map(({ type }) => type)];
  void db.defer(formFor(insertRows, entities.length), values);
}

const insertIdentifierRows = sqlOfRows(
  "identifiers_insert",
  (limit) => `INSERT INTO identifiers (workspace_id, id, entity_id, kind, value, created_at, retired_at)
   SELECT $workspace, n.id, n.entity_id, n.kind, n.value, n.at, CASE WHEN n.lost THEN n.at END
   FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::bool[], $6::timestamptz[]) WITH ORDINALITY AS n(id, entity_id, kind, value, lost, at, place)
   ORDER BY n.place ${limit} RETURNING NULL`,
);

/** `lost`: it lost it again at once. */
type IdentifierToInsert = Identifier & { entityId: string; lost: boolean; at: Date };

/** Gives entities identifiers, whose locks the caller holds. Sent with the COMMIT. */
export function insertIdentifiers(db: Db, identifiers: readonly IdentifierToInsert[]): void {
  if (identifiers.length === 0) return;
  void db.defer(formFor(insertIdentifierRows, identifiers.length), [
    identifiers.map(() => newId()),
    identifiers.map(({ entityId }) => entityId),
    identifiers.map(({ kind }) => kind),
    identifiers.map(({ value }) => value),
    identifiers.map(({ lost }) => lost),
    identifiers.map(({ at }) => at),
  ]);
}

// identifiers_workspace_id_entity_id_idx
const retireRows = sql(
  "identifiers_retire",
  `UPDATE identifiers i SET retired_at = $1 FROM unnest($2::uuid[], $3::text[], $4::text[]) AS g(entity_id, kind, value)
   WHERE i.workspace_id = $workspace AND i.entity_id = ANY($2::uuid[]) AND i.entity_id = g.entity_id AND i.kind = g.kind AND i.value = g.value AND i.retired_at IS NULL`,
);

/** Takes identifiers from entities: these are no longer known by them, and others may get them. Sent with the COMMIT. */
export function retireIdentifiers(db: Db, at: Date, lost: readonly (Identifier & { entityId: string })[]): void {
  if (lost.length === 0) return;
  void db.defer(retireRows, [
    at,
    lost.map(({ entityId }) => entityId),
    lost.map(({ kind }) => kind),
    lost.map(({ value }) => value),
  ]);
}

// identifiers_active_key. Later than any that was added in the same transaction.
const preferOne = sql(
  "identifier_prefer",
  `UPDATE identifiers SET preferred_at = $4::timestamptz + interval '1 millisecond'
   WHERE workspace_id = $workspace AND entity_id = $1 AND kind = $2 AND value = $3 AND retired_at IS NULL`,
);

/** Makes an identifier the primary one of its kind. Sent with the COMMIT. */
export function preferIdentifier(db: Db, entityId: string, { kind, value }: Identifier, at: Date): void {
  void db.defer(preferOne, [entityId, kind, value, at]);
}

// identifiers_workspace_id_entity_id_idx. LATERAL keeps it at one probe each, and the condition outside keeps the planner of a
// young table from reading the workspace's whole index of active ones.
const ofEntities = sqlOfRows(
  "identifiers_of_entities",
  (
    limit,
  ) => `SELECT i.entity_id AS "entityId", i.kind, i.value, i.created_at AS "createdAt" FROM (SELECT unnest($1::uuid[]) AS id ${limit}) AS whose
   CROSS JOIN LATERAL (SELECT * FROM identifiers i WHERE i.workspace_id = $workspace AND i.entity_id = whose.id OFFSET 0) AS i
   WHERE i.retired_at IS NULL AND i.kind <> 'name' ORDER BY coalesce(i.preferred_at, i.created_at) DESC, i.id DESC`,
);

type OwnedIdentifier = Identifier & { entityId: string; createdAt: Date };

/** Active identifiers of some entities that callers see, the primary one of each kind before the others of its kind, the latest first. */
export function findIdentifiersOf(db: Db, entityIds: readonly string[]): Promise<OwnedIdentifier[]> {
  const ids = [...new Set(entityIds)];
  return db.query<OwnedIdentifier>(formFor(ofEntities, ids.length), [ids]);
}

/**
 * Serialises writers that want to create, attach or move these identifiers; locked until the transaction ends. While
 * one is held, the record that has it cannot be merged or erased.
 */
export async function lockIdentifiers(db: Db, named: readonly Identifier[]): Promise<void> {
  const { identifier, domain } = lockNamesOf(named);
  await together([lock(db, "identifier", identifier), lock(db, "domain", domain)]);
}

/** True when this transaction has locked all of these. */
export function holdsIdentifiers(db: Db, named: readonly Identifier[]): boolean {
  const { identifier, domain } = lockNamesOf(named);
  return holdsLocks(db, "identifier", identifier) && holdsLocks(db, "domain", domain);
}

/** Domains come last, because the domain of a company is often found by a person's address. */
function lockNamesOf(named: readonly Identifier[]) {
  const names = (domains: boolean) => named.filter(({ kind }) => (kind === "domain") === domains).map(identifierKey);
  return { identifier: names(false), domain: names(true) };
}

// identifiers_workspace_id_entity_id_idx
const everOf = sql(
  "identifiers_ever",
  `SELECT DISTINCT i.kind, i.value FROM unnest($1::uuid[]) AS whose(id)
   CROSS JOIN LATERAL (SELECT * FROM identifiers i WHERE i.workspace_id = $workspace AND i.entity_id = whose.id OFFSET 0) AS i`,
);

/** Every identifier that entities have or had. */
export const findIdentifiersEver = (db: Db, ids: readonly string[]): Promise<Identifier[]> =>
  db.query<Identifier>(everOf, [ids]);

/** Every e-mail address that entities have or had. */
export const findEmailsEver = async (db: Db, ids: readonly string[]): Promise<string[]> =>
  (await findIdentifiersEver(db, ids)).flatMap(({ kind, value }) => (kind === "email" ? [value] : []));

// entities_pkey
const setStatusRows = sqlOfRows(
  "entities_set_status",
  (limit) => `UPDATE entities e SET status = g.status, status_action = g.action
   FROM (SELECT * FROM unnest($1::uuid[], $2::entity_status[], $3::uuid[]) AS u(id, status, action) ${limit}) AS g
   WHERE e.workspace_id = $workspace AND e.id = g.id AND e.id = ANY($1::uuid[])`,
);

/** `action`: the bulk action that sets it. Sent with the COMMIT. */
export function setStatus(
  db: Db,
  changes: readonly (Pick<EntityRow, "id" | "status"> & { action: string | null })[],
): void {
  if (changes.length === 0) return;
  void db.defer(formFor(setStatusRows, changes.length), [
    changes.map(({ id }) => id),
    changes.map(({ status }) => status),
    changes.map(({ action }) => action),
  ]);
}

/** Which of these have the status that a bulk action gave them, not set by anything since. */
export async function findStatusOfAction(db: Db, ids: readonly string[], action: string): Promise<string[]> {
  const where = { id: { in: [...ids] }, statusAction: action };
  return (await db.prisma.entity.findMany({ where, select: { id: true } })).map(({ id }) => id);
}

// entities_pkey
const deleteRows = sqlOfIds(
  "entities_delete",
  (these) => `DELETE FROM entities WHERE workspace_id = $workspace AND id ${these}`,
);

/** Removes entities with what hangs on them; the transaction must be one of erasure. */
export async function deleteEntities(db: Db, ids: readonly string[]): Promise<void> {
  await db.query(formFor(deleteRows, ids.length), [ids]);
}
