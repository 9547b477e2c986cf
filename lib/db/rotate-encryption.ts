import type { WorkspaceId } from "#lib/core/ids.ts";
import { decrypt, type EncryptionKey, encrypt, keyIdOf } from "./encrypted.ts";
import { type EncryptedColumn, encryptedColumns } from "./encrypted-columns.ts";
import type { Db } from "./handle.ts";
import { sql } from "./statement.ts";
import { withWorkspace } from "./transaction.ts";

export type Rotated = { table: string; column: string; reencrypted: number; current: number; unreadable: number };

const BATCH = 200;

/**
 * Seals every value of a column again with the first key, a batch a transaction. Values sealed with the first key are
 * left alone, so it may be interrupted and run again. A value that none of the keys opens is counted and kept as it is.
 */
export async function rotateColumn(
  workspaces: readonly WorkspaceId[],
  keys: readonly EncryptionKey[],
  column: EncryptedColumn,
): Promise<Rotated> {
  const rotated: Rotated = { table: column.table, column: column.column, reencrypted: 0, current: 0, unreadable: 0 };
  for (const workspaceId of workspaces) {
    for (let after: string | null = null; ; ) {
      const last: string | null = await withWorkspace(workspaceId, (db) =>
        rotateBatch(db, keys, column, after, rotated),
      );
      if (last === null) break;
      after = last;
    }
  }
  return rotated;
}

type Sealed = { id: string; value: string; of: string };

const nameOf = ({ table, column }: EncryptedColumn): string => `${table}_${column}`;

// <table>_pkey
const statements = new Map(
  encryptedColumns.map((at) => [
    nameOf(at),
    {
      batch: sql(
        `sealed_${nameOf(at)}`,
        `SELECT id, ${at.column} AS value, ${at.of} AS of FROM ${at.table}
         WHERE workspace_id = $workspace AND ${at.where} AND ($1::uuid IS NULL OR id > $1) ORDER BY id LIMIT ${BATCH} FOR UPDATE`,
      ),
      reseal: sql(
        `reseal_${nameOf(at)}`,
        `UPDATE ${at.table} SET ${at.column} = $2 WHERE workspace_id = $workspace AND id = $1`,
      ),
    },
  ]),
);

function statementsOf(at: EncryptedColumn) {
  const found = statements.get(nameOf(at));
  if (!found) throw new Error(`${nameOf(at)} is not in the list of encrypted columns`);
  return found;
}

/** Returns the id of the last row it looked at; null when there was none. */
async function rotateBatch(
  db: Db,
  keys: readonly EncryptionKey[],
  at: EncryptedColumn,
  after: string | null,
  counts: Rotated,
): Promise<string | null> {
  const { batch, reseal } = statementsOf(at);
  const rows = await db.query<Sealed>(batch, [after]);
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
    await db.query(reseal, [id, encrypt(keys, purpose, clear)]);
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
