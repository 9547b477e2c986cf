import { newId } from "#lib/core/ids.ts";
import { inspect } from "./database.ts";

/**
 * Puts a row into a table of a workspace and returns its id: a sample in each column that needs a value, defaults in
 * the others. Foreign keys and triggers are off, so the row may refer to nothing; for tests of who can see a row, not
 * of its content.
 */
export async function addRow(table: string, workspaceId: string): Promise<string> {
  const columns = await inspect<{ name: string; type: string; label: string | null }>(
    `SELECT a.attname AS name, format_type(a.atttypid, NULL) AS type, (SELECT enumlabel FROM pg_enum WHERE enumtypid = a.atttypid LIMIT 1) AS label
     FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
     WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
       AND ((a.attnotnull AND d.oid IS NULL) OR a.attname IN ('workspace_id', 'id'))`,
    [table],
  );
  const id = newId();
  const fixed: Readonly<Record<string, string>> = { workspace_id: workspaceId, id };
  const values = columns.map(({ name, type, label }) => fixed[name] ?? label ?? sampleOf(type));
  const places = columns.map(({ type }, index) => `$${index + 1}::${type}`);
  await inspect(
    `WITH off AS (SELECT set_config('session_replication_role', 'replica', true))
     INSERT INTO "${table}" (${columns.map(({ name }) => `"${name}"`)}) SELECT ${places} FROM off`,
    values,
  );
  return id;
}

function sampleOf(type: string): unknown {
  if (type === "uuid") return newId();
  if (type === "date" || type.startsWith("timestamp")) return new Date();
  if (type.startsWith("bit")) return "101";
  if (type === "tsvector") return "word:1";
  if (type === "bytea") return Buffer.from(newId());
  if (type === "jsonb") return "{}";
  if (type === "boolean") return false;
  if (type.endsWith("[]")) return [];
  return /int|numeric|real|double/.test(type) ? 1 : newId();
}
