import { newId } from "#lib/core/ids.ts";
import { type Db, sql } from "#lib/db/transaction.ts";
import type { IdentifierKind } from "./rules.ts";

export type EntityRow = { id: string; type: "workspace" | "person" | "company"; status: "active" | "archived" };

// entities_pkey
const byId = sql(
  "entity_by_id",
  "SELECT id, type::text, status::text FROM entities WHERE workspace_id = rapport_workspace() AND id = $1",
);

export const findEntity = async (db: Db, id: string): Promise<EntityRow | null> =>
  (await db.query<EntityRow>(byId, [id]))[0] ?? null;

// identifiers_active_key; entities_pkey
const byIdentifier = sql(
  "entity_by_identifier",
  `SELECT e.id, e.type::text, e.status::text FROM identifiers i
   JOIN entities e ON e.workspace_id = i.workspace_id AND e.id = i.entity_id
   WHERE i.workspace_id = rapport_workspace() AND i.kind = $1 AND i.value = $2 AND i.retired_at IS NULL`,
);

export const findEntityByIdentifier = async (db: Db, kind: IdentifierKind, value: string): Promise<EntityRow | null> =>
  (await db.query<EntityRow>(byIdentifier, [kind, value]))[0] ?? null;

const insertEntityRow = sql(
  "entity_insert",
  "INSERT INTO entities (workspace_id, id, type) VALUES (rapport_workspace(), $1, $2::entity_type)",
);

export const insertEntity = async (db: Db, id: string, type: EntityRow["type"]): Promise<void> => {
  await db.query(insertEntityRow, [id, type]);
};

const insertIdentifierRow = sql(
  "identifier_insert",
  `INSERT INTO identifiers (workspace_id, id, entity_id, kind, value) VALUES (rapport_workspace(), $1, $2, $3, $4)`,
);

export const insertIdentifier = async (
  db: Db,
  entityId: string,
  kind: IdentifierKind,
  value: string,
): Promise<void> => {
  await db.query(insertIdentifierRow, [newId(), entityId, kind, value]);
};

const lockRow = sql(
  "identifier_lock",
  "SELECT pg_advisory_xact_lock(hashtextextended(rapport_workspace()::text || $1 || $2, 1))",
);

/** Serialises the writers that want to create an entity by this identifier; held until the transaction ends. */
export const lockIdentifier = async (db: Db, kind: IdentifierKind, value: string): Promise<void> => {
  await db.query(lockRow, [kind, value]);
};
