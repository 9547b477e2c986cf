import type { WorkspaceId } from "#lib/core/ids.ts";
import type { EncryptionKey } from "#lib/settings/env-values.ts";
import { decrypt, encrypt, keyIdOf } from "./encrypted.ts";
import type { Db } from "./handle.ts";
import { sql } from "./statement.ts";
import { withoutWorkspace, withWorkspace } from "./transaction.ts";

/** A column that holds values sealed by `encrypt`. The names come from the schema, never from a caller. */
export type EncryptedColumn = {
  table: string;
  /** Of people who sign in: its rows are no workspace's. */
  ofPeople?: true;
  /** Names its row, where that is not `id`. */
  key?: string;
  column: string;
  /** SQL: which rows are sealed. */
  where: string;
  /** SQL expression for the value of the row that `purpose` needs. */
  of: string;
  /** The purpose that the row's value is sealed for. */
  purpose: (of: string) => string;
};

export type ColumnRotation = {
  table: string;
  column: string;
  reencrypted: number;
  current: number;
  unreadable: number;
};

const BATCH = 200;

/**
 * Seals every value of a column again with the first key, a batch a transaction. Values sealed with the first key are
 * left alone, so it may be interrupted and run again. A value that none of the keys opens is counted and kept as it is.
 */
export async function rotateColumn(
  workspaces: readonly WorkspaceId[],
  keys: readonly EncryptionKey[],
  column: EncryptedColumn,
): Promise<ColumnRotation> {
  const rotated: ColumnRotation = {
    table: column.table,
    column: column.column,
    reencrypted: 0,
    current: 0,
    unreadable: 0,
  };
  type Open = (work: (db: Db) => Promise<string | null>) => Promise<string | null>;
  const places: Open[] = column.ofPeople
    ? [withoutWorkspace]
    : workspaces.map((workspaceId) => (work) => withWorkspace(workspaceId, work));
  for (const open of places) {
    for (let after: string | null = null; ; ) {
      const last: string | null = await open((db) => rotateBatch(db, keys, column, after, rotated));
      if (last === null) break;
      after = last;
    }
  }
  return rotated;
}

type SealedValue = { id: string; value: string; of: string };

/** Returns the id of the last row it looked at; null when there was none. */
async function rotateBatch(
  db: Db,
  keys: readonly EncryptionKey[],
  at: EncryptedColumn,
  after: string | null,
  counts: ColumnRotation,
): Promise<string | null> {
  const { table, key = "id", column, where, of, ofPeople } = at;
  const mine = ofPeople ? "true" : "workspace_id = $workspace";
  const batch = sql(
    "",
    `SELECT ${key} AS id, ${column} AS value, ${of} AS of FROM ${table}
     WHERE ${mine} AND ${where} AND ($1::uuid IS NULL OR ${key} > $1) ORDER BY ${key} LIMIT ${BATCH} FOR UPDATE`,
  );
  const update = sql("", `UPDATE ${table} SET ${column} = $2 WHERE ${mine} AND ${key} = $1`);
  const rows = await db.query<SealedValue>(batch, [after]);
  for (const { id, value, of: source } of rows) {
    if (keyIdOf(value) === keys[0]?.id) {
      counts.current += 1;
      continue;
    }
    const purpose = at.purpose(source);
    const clear = open(keys, purpose, value);
    if (clear === null) {
      counts.unreadable += 1;
      continue;
    }
    await db.query(update, [id, encrypt(keys, purpose, clear)]);
    counts.reencrypted += 1;
  }
  return rows.at(-1)?.id ?? null;
}

/** Null when the value was sealed with a key that is not configured, or is damaged. */
function open(keys: readonly EncryptionKey[], purpose: string, value: string): string | null {
  try {
    return decrypt(keys, purpose, value);
  } catch {
    return null;
  }
}
